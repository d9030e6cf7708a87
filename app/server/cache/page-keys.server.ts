/**
 * Finds the cache key of a request for a public page: the URL of the page with only the query
 * parameters that the page reads. The page is rendered from this key, so other parameters neither
 * fill the cache nor reach the page. The values of the parameters are not limited here, because the
 * cache drops its oldest pages when it is full.
 */

/** The query parameters that each public page reads, by its route, such as `/OneCourse/:slug`. */
export type PublicPages = Readonly<Record<string, readonly string[]>>

type PageKey = {
  /** The path and query of the URL that is rendered, and under which the page is cached. */
  key: string
  /** The route of the page, such as `/OneCourse/:slug`. */
  route: string
}

/** A longer URL is rendered without the cache, so that keys need little memory. */
const maxKeyLength = 1_000

/**
 * Returns a function that finds the key of a URL. It returns null if the URL is not that of a
 * public page.
 */
export function createPageKeyFinder(publicPages: PublicPages): (url: URL) => PageKey | null {
  // Like React Router, this ignores the case of a path.
  const pagesByLowerCaseRoute = new Map(
    Object.entries(publicPages).map(([route, pageParameters]) => [
      route.toLowerCase(),
      { route, pageParameters },
    ]),
  )

  return ({ pathname, searchParams }) => {
    const isDataRequest = pathname.endsWith('.data')
    const pagePath = getPagePath(pathname, isDataRequest)
    // The home page has the path '/', and so no first segment.
    const [, firstSegment = '', slug, ...deeperSegments] = pagePath.split('/')
    const requestedRoute = slug === undefined ? `/${firstSegment}` : `/${firstSegment}/:slug`

    const page = pagesByLowerCaseRoute.get(requestedRoute.toLowerCase())
    if (!page || deeperSegments.length > 0 || (slug !== undefined && !isCacheableSlug(slug))) {
      return null
    }

    const { route, pageParameters } = page
    // React Router names the routes whose data it wants in `_routes`.
    const keyParameters = isDataRequest ? ['_routes', ...pageParameters] : pageParameters
    const query = new URLSearchParams(
      keyParameters.flatMap((name) => searchParams.getAll(name).map((value) => [name, value])),
    )

    // The slug comes from a function, because `replace` would interpret `$&` in a string.
    const canonicalPath = slug === undefined ? route : route.replace(':slug', () => slug)
    const key = formatKey(canonicalPath, isDataRequest, query)

    return key.length > maxKeyLength ? null : { key, route }
  }
}

/**
 * Returns the path of the page that a request is for. React Router loads the data of a page from
 * `PATH.data`, and from `PATH/_.data` if the path ends in a slash.
 */
function getPagePath(pathname: string, isDataRequest: boolean): string {
  if (isDataRequest) {
    return pathname.replace(/(\/_)?\.data$/, '')
  }

  return pathname.replace(/\/$/, '')
}

/**
 * Returns false for a slug whose key React Router would read as the URL of another page:
 * - an empty slug, which comes from `/Pages//`: its key is that of the page without a slug
 * - `_`: the key of its data, `/Pages/_.data`, means the data of `/Pages/`
 * - `x.data`: the key of its page, `/Pages/x.data`, means the data of `/Pages/x`
 */
function isCacheableSlug(slug: string): boolean {
  return slug !== '' && slug !== '_' && !slug.endsWith('.data')
}

/** Formats the URL of a page or, for a data request, the URL of its data. */
function formatKey(path: string, isDataRequest: boolean, query: URLSearchParams): string {
  const search = query.size > 0 ? `?${query}` : ''
  if (!isDataRequest) {
    return path + search
  }

  // The data of `/` is at `/_.data`.
  const dataPath = path === '/' ? '/_' : path
  return `${dataPath}.data${search}`
}
