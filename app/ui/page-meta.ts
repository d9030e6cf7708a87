import type { MetaDescriptor } from 'react-router'
import { type Brand, shippedBrand } from './brand'
import { shippedName, siteName } from './site-name'

type PageMeta = {
  /** The title without the school's name, which is added. The default is the name alone. */
  title?: string
  /** One or two sentences for search results, at most about 160 characters. */
  description: string
  /** The page's path without a query. Null keeps the page out of search engines. */
  path: string | null
  /** The path of a picture of about 1200 by 630 pixels. */
  image?: string
  /**
   * The matches that `meta` receives. The root's loader data has the origin and the school's brand.
   */
  matches: readonly (Match | undefined)[]
}

type Match = { id: string; loaderData?: unknown }

/** Returns what a route's `meta` function returns: tags for search engines and shared links. */
export function pageMeta({ title, description, path, image, matches }: PageMeta): MetaDescriptor[] {
  const origin = findOrigin(matches)
  const { name, logo, sharePicture } = findBrand(matches)
  // Links to a school with its own name or logo don't show Learnify's picture.
  const shippedPicture = name === shippedName && !logo ? '/og.png' : null
  const picture = image ?? sharePicture ?? shippedPicture
  const fullTitle = title ? `${title} · ${siteName()}` : siteName()
  const urlTags: MetaDescriptor[] =
    path === null
      ? [{ name: 'robots', content: 'noindex' }]
      : [
          { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
          { property: 'og:url', content: `${origin}${path}` },
        ]

  return [
    { title: fullTitle },
    { name: 'description', content: description },
    ...urlTags,
    { property: 'og:site_name', content: siteName() },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    ...(picture ? [{ property: 'og:image', content: `${origin}${picture}` }] : []),
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}

/** Returns the school's brand from the root's loader data, or Learnify's if the loader failed. */
export function findBrand(matches: PageMeta['matches']): Brand {
  const rootMatch = matches.find((match) => match?.id === 'root')
  const rootData = rootMatch?.loaderData as { brand?: Brand } | undefined
  return rootData?.brand ?? shippedBrand
}

/**
 * Returns the origin of the URLs that learners use. It is empty if the root's loader failed, so
 * that URLs stay relative.
 */
export function findOrigin(matches: PageMeta['matches']): string {
  const rootMatch = matches.find((match) => match?.id === 'root')
  const rootData = rootMatch?.loaderData as { origin?: string } | undefined
  return rootData?.origin ?? ''
}
