/**
 * Finds the cache key of a URL. The key is the URL of a public page with only the parameters that
 * the page reads, so that other parameters neither fill the cache nor reach the page.
 */

/** The query parameters that each public page reads, by the path of its route. */
export type PublicPages = Readonly<Record<string, readonly string[]>>

/** The key is also the path that is rendered. The route is the pattern of the path. */
type PageKey = { key: string; route: string }

const maxKeyLength = 1_000

/**
 * Returns a function that finds the key of a URL. It returns null if the URL is not that of a
 * public page.
 */
export function createPageKeyFinder(pages: PublicPages): (url: URL) => PageKey | null {
  const routesByLowerCase = new Map(Object.keys(pages).map((route) => [route.toLowerCase(), route]))

  return ({ pathname, searchParams }) => {
    const isDataRequest = pathname.endsWith('.data')
    const [, firstSegment = '', slug, ...deeperSegments] = getPagePath(pathname).split('/')
    const pattern = slug === undefined ? `/${firstSegment}` : `/${firstSegment}/:slug`
    const route = routesByLowerCase.get(pattern.toLowerCase())
    if (route === undefined || deeperSegments.length > 0 || !isCacheableSlug(slug)) {
      return null
    }

    const pageParameters = pages[route] ?? []
    // React Router names the routes whose data it wants in `_routes`.
    const parameters = isDataRequest ? ['_routes', ...pageParameters] : pageParameters
    const query = new URLSearchParams(
      parameters.flatMap((name) => searchParams.getAll(name).map((value) => [name, value])),
    )

    // A replacer function, because `$&` or `$'` in a slug would have a meaning in a replacement
    // text.
    const path = route.replace(':slug', () => slug ?? '')
    const key = formatKey(path, isDataRequest, query)

    return key.length > maxKeyLength ? null : { key, route }
  }
}

/**
 * Returns the path of the page that a request is for. React Router loads the data of a page from
 * `PATH.data`, and from `PATH/_.data` if the path ends in a slash.
 */
function getPagePath(pathname: string): string {
  if (pathname.endsWith('.data')) {
    return pathname.replace(/(\/_)?\.data$/, '')
  }

  return pathname.replace(/\/$/, '')
}

/**
 * Returns false for slugs whose key would be that of another page: `/Pages/` of the page without a
 * slug, `/Pages/_` and `/Pages/x.data` of a page's data.
 */
function isCacheableSlug(slug: string | undefined): boolean {
  return slug !== '' && slug !== '_' && !slug?.endsWith('.data')
}

function formatKey(path: string, isDataRequest: boolean, query: URLSearchParams): string {
  const search = query.size > 0 ? `?${query}` : ''
  if (!isDataRequest) {
    return path + search
  }

  const dataPath = path === '/' ? '/_' : path
  return `${dataPath}.data${search}`
}
