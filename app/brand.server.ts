import { pageAddress } from './features/home/site-pages.server'
import { pictureAddress, styleAddress } from './server/site/brand-files.server'
import { currentSite, isWide, siteName } from './server/site/site.server'
import type { Brand, FooterColumn } from './ui/brand'
import { footerColumns } from './ui/footer-columns'

const pictureOf = ({ logo, width, height }: { logo: string; width: number; height: number }) => ({
  address: pictureAddress(logo),
  width,
  height,
  isWide: isWide({ width, height }),
})

/** The owner's name, colors, pictures and footer, for every page. */
export function currentBrand(): Brand {
  const { description, accent, logo, logoDark, icon, sharePicture, footer, pages } = currentSite()
  return {
    name: siteName(),
    ...(description && { description }),
    ...(accent && { style: styleAddress(accent) }),
    ...(logo && { logo: pictureOf(logo) }),
    ...(logo && logoDark && { logoDark: pictureOf(logoDark) }),
    ...(icon && { icon: pictureAddress(icon.icon), touchIcon: pictureAddress(icon.touch) }),
    ...(sharePicture && { sharePicture: pictureAddress(sharePicture.share) }),
    ...((footer || pages.size > 0) && { footer: footerOf(currentSite()) }),
  }
}

/**
 * The owner's columns, or Learnify's own. An owner's page replaces the placeholder link with its
 * name; without one, it is added to the last column.
 */
function footerOf({ footer, pages }: ReturnType<typeof currentSite>): FooterColumn[] {
  const own = footer?.map(({ title, links }) => ({
    title,
    links: links.map(({ label, to }) => [label, to] as const),
  }))
  let columns: readonly FooterColumn[] = own ?? footerColumns(siteName())
  for (const [slug, { title, inFooter }] of pages) {
    const link = [title, pageAddress(slug)] as const
    if (!inFooter || columns.some(({ links }) => links.some(([, to]) => to === link[1]))) {
      continue
    }

    const isPlace = ([label, to]: Link) =>
      to === '#' && [slug, title.toLowerCase()].includes(label.toLowerCase())
    const hasPlace = columns.some(({ links }) => links.some(isPlace))
    columns = columns.map((column, index) => {
      if (hasPlace) {
        return { ...column, links: column.links.map((other) => (isPlace(other) ? link : other)) }
      }

      return index === columns.length - 1 ? { ...column, links: [...column.links, link] } : column
    })
  }

  return [...columns]
}

type Link = FooterColumn['links'][number]
