import type { MetaDescriptor } from 'react-router'
import { type Brand, shippedBrand } from './brand'
import { shippedName, siteName } from './site-name'

type PageMeta = {
  /** Without the product's name, which is added; left out, the product's name stands alone. */
  title?: string
  /** One or two sentences for search results, at most about 160 characters. */
  description: string
  /**
   * The page's own address, from the root, without a query; null keeps the page out of search
   * engines.
   */
  path: string | null
  /** From the root, 1200 by 630 pixels or close to it. */
  image?: string
  /** As `meta` gets them: the root's loader knows the address that learners use. */
  matches: readonly (Match | undefined)[]
}

type Match = { id: string; loaderData?: unknown }

/** Title and description for search engines and shared links. Every route's `meta` returns it. */
export function pageMeta({ title, description, path, image, matches }: PageMeta): MetaDescriptor[] {
  const origin = originOf(matches)
  const { name, logo, sharePicture } = brandOf(matches)
  // A school with its own name or logo isn't shared with Learnify's picture.
  const shipped = name === shippedName && !logo ? '/og.png' : null
  const picture = image ?? sharePicture ?? shipped
  const fullTitle = title ? `${title} · ${siteName()}` : siteName()
  const address: MetaDescriptor[] =
    path === null
      ? [{ name: 'robots', content: 'noindex' }]
      : [
          { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
          { property: 'og:url', content: `${origin}${path}` },
        ]

  return [
    { title: fullTitle },
    { name: 'description', content: description },
    ...address,
    { property: 'og:site_name', content: siteName() },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    ...(picture ? [{ property: 'og:image', content: `${origin}${picture}` }] : []),
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}

/** Finds the school's look in the root's data. */
export function brandOf(matches: PageMeta['matches']): Brand {
  const data = matches.find((match) => match?.id === 'root')?.loaderData
  return (data as { brand?: Brand } | undefined)?.brand ?? shippedBrand
}

/**
 * The address that learners use; empty when the root's loader failed: addresses then stay relative.
 */
export function originOf(matches: PageMeta['matches']): string {
  const data = matches.find((match) => match?.id === 'root')?.loaderData
  return data && typeof data === 'object' && 'origin' in data && typeof data.origin === 'string'
    ? data.origin
    : ''
}
