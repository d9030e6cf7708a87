import { readOperatorPage } from '~/features/courses/content/site-files.server'
import { currentSite } from '~/server/site/site.server'
import type { SitePage } from '~/server/site/site-values'

/** Pages that always exist, each with an address of its own. */
export const fixedPages = {
  terms: { title: 'Terms and conditions', path: '/Terms' },
  privacy: { title: 'Privacy policy', path: '/Privacy' },
} as const

type FixedPage = keyof typeof fixedPages

export const isFixedPage = (slug: string): slug is FixedPage => Object.hasOwn(fixedPages, slug)

/** The owner's text, or else the file in `content/pages/`, or else Learnify's own. */
export async function readFixedPage(name: FixedPage): Promise<SitePage> {
  const written = currentSite().pages.get(name)
  return (
    written ?? { title: fixedPages[name].title, text: await readOperatorPage(name), inFooter: true }
  )
}

/** @returns a page below `/Pages`, or null if the owner wrote none with this slug. */
export function findFurtherPage(slug: string): SitePage | null {
  return isFixedPage(slug) ? null : (currentSite().pages.get(slug) ?? null)
}

export const sitePageUrl = (slug: string) =>
  isFixedPage(slug) ? fixedPages[slug].path : `/Pages/${slug}`

/** The addresses of the owner's pages, except terms and privacy. */
export function listFurtherPageUrls(): string[] {
  return [...currentSite().pages.keys()].filter((slug) => !isFixedPage(slug)).map(sitePageUrl)
}

/** The page's first words, for search engines. */
export function summarizePage({ text }: SitePage): string {
  const words = text
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[#*_>`[\]|]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

  return words.length <= 160 ? words : `${words.slice(0, 160).replace(/\s\S*$/, '')}…`
}
