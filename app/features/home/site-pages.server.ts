/**
 * The site's pages of text: the terms, the privacy policy, and pages that the owner wrote at the
 * desk.
 */
import { readOperatorPage } from '~/features/courses/content/site-files.server'
import { currentSite } from '~/server/site/site.server'
import type { SitePage } from '~/server/site/site-values'

/** The pages that always exist. Each has a path of its own. */
export const fixedPages = {
  terms: { title: 'Terms and conditions', path: '/Terms' },
  privacy: { title: 'Privacy policy', path: '/Privacy' },
} as const

type FixedPage = keyof typeof fixedPages

export function isFixedPage(slug: string): slug is FixedPage {
  return Object.hasOwn(fixedPages, slug)
}

/**
 * Returns a fixed page with the owner's text. If the owner wrote none, the text is that of the file
 * in `content/pages/` or, without such a file, the text that Learnify comes with.
 */
export async function readFixedPage(name: FixedPage): Promise<SitePage> {
  const ownerPage = currentSite().pages.get(name)
  if (ownerPage) {
    return ownerPage
  }

  return { title: fixedPages[name].title, text: await readOperatorPage(name), inFooter: true }
}

/** Returns a page below `/Pages`, or null if the owner wrote none with this slug. */
export function findFurtherPage(slug: string): SitePage | null {
  return isFixedPage(slug) ? null : (currentSite().pages.get(slug) ?? null)
}

export function sitePageUrl(slug: string): string {
  return isFixedPage(slug) ? fixedPages[slug].path : `/Pages/${slug}`
}

/** Returns the paths of all pages below `/Pages`. */
export function listFurtherPagePaths(): string[] {
  const slugs = [...currentSite().pages.keys()]
  return slugs.filter((slug) => !isFixedPage(slug)).map(sitePageUrl)
}

const maxSummaryLength = 160

/** Returns the first words of a page, without its Markdown. Search engines display them. */
export function summarizePage({ text }: SitePage): string {
  const plainText = text
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[#*_>`[\]|]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

  if (plainText.length <= maxSummaryLength) {
    return plainText
  }

  const wholeWords = plainText.slice(0, maxSummaryLength).replace(/\s\S*$/, '')
  return `${wholeWords}…`
}
