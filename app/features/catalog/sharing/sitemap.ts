/** An address for search engines; the date (YYYY-MM-DD) is of its last change. */
export type SitemapEntry = { address: string; date: string | null }

/** The pages that are no course. */
export const sitemapPages = ['/', '/AllCourses', '/OneCourse', '/Instructor', '/Login', '/SignUp', '/Terms', '/Privacy']

/** The most addresses in a part: https://www.sitemaps.org/protocol.html. */
export const sitemapPartLength = 50_000

/** The name of the part with `sitemapPages`; those with courses have a number. */
export const pagesPart = 'Pages'

/** A list of pages: https://www.sitemaps.org/protocol.html. */
export function sitemapXml(entries: readonly SitemapEntry[]): string {
  return document('urlset', 'url', entries)
}

/** A list of lists. */
export function sitemapIndexXml(parts: readonly SitemapEntry[]): string {
  return document('sitemapindex', 'sitemap', parts)
}

function document(list: string, item: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ address, date }) => {
    const lastmod = date === null ? '' : `<lastmod>${date}</lastmod>`
    return `<${item}><loc>${escapeXml(address)}</loc>${lastmod}</${item}>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('')}</${list}>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
