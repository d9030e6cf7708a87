import { sitePageUrl } from './features/home/site-pages.server'
import { accentStyleUrl, brandPictureUrl, isWideLogo } from './server/site/brand-files.server'
import { currentSite, siteName } from './server/site/site.server'
import type { Brand, FooterColumn } from './ui/brand'
import { getDefaultFooter } from './ui/site-footer'

/**
 * Returns the name, colors, pictures and footer that owners have set. Values that are not set are
 * omitted.
 */
export function currentBrand(): Brand {
  const { description, accent, logo, logoDark, icon, sharePicture, footer, pages } = currentSite()
  return {
    name: siteName(),
    ...(description && { description }),
    ...(accent && { style: accentStyleUrl(accent) }),
    ...(logo && { logo: toBrandLogo(logo) }),
    ...(logo && logoDark && { logoDark: toBrandLogo(logoDark) }),
    ...(icon && { icon: brandPictureUrl(icon.icon), touchIcon: brandPictureUrl(icon.touch) }),
    ...(sharePicture && { sharePicture: brandPictureUrl(sharePicture.share) }),
    ...((footer || pages.size > 0) && { footer: getFooter(currentSite()) }),
  }
}

function toBrandLogo({ logo, width, height }: { logo: string; width: number; height: number }) {
  return {
    url: brandPictureUrl(logo),
    width,
    height,
    isWide: isWideLogo({ width, height }),
  }
}

/**
 * Returns the owner's columns, or Learnify's own, with the owner's pages. A page replaces the
 * placeholder link with its name. A page without a placeholder is added to the last column.
 */
function getFooter({ footer, pages }: ReturnType<typeof currentSite>): FooterColumn[] {
  const ownColumns = footer?.map(({ title, links }) => ({
    title,
    links: links.map(({ label, to }) => [label, to] as const),
  }))

  let columns: readonly FooterColumn[] = ownColumns ?? getDefaultFooter(siteName())
  for (const [slug, { title, inFooter }] of pages) {
    if (inFooter) {
      columns = addPage(columns, { slug, title })
    }
  }

  return [...columns]
}

type FooterLink = FooterColumn['links'][number]

function addPage(
  columns: readonly FooterColumn[],
  { slug, title }: { slug: string; title: string },
): readonly FooterColumn[] {
  const path = sitePageUrl(slug)
  const isLinked = columns.some(({ links }) => links.some(([, to]) => to === path))
  if (isLinked) {
    return columns
  }

  const pageLink: FooterLink = [title, path]
  const isPlaceholder = ([label, to]: FooterLink) =>
    to === '#' && [slug, title.toLowerCase()].includes(label.toLowerCase())
  const hasPlaceholder = columns.some(({ links }) => links.some(isPlaceholder))
  if (hasPlaceholder) {
    return columns.map((column) => ({
      ...column,
      links: column.links.map((link) => (isPlaceholder(link) ? pageLink : link)),
    }))
  }

  return columns.map((column, index) =>
    index === columns.length - 1 ? { ...column, links: [...column.links, pageLink] } : column,
  )
}
