import { otherRoute } from './metrics/answers.server'

const catalogueParameters = [
  'after',
  'before',
  'category',
  'exact',
  'instructor',
  'language',
  'length',
  'level',
  'mentions',
  'price',
  'q',
  'rating',
  'skill',
  'sort',
]
/** These may stand several times; their order means nothing. */
const repeated = new Set(['instructor', 'language', 'length', 'price', 'rating', 'skill'])
const courseParameters = ['page', 'sort', 'stars', 'tab', 'why']

/**
 * The pages that are the same for everyone, with the parameters that each reads, in alphabetical order. Only these are
 * kept; with anything else in the address the page is the same, so that nobody can fill the store or change a kept page.
 */
const publicPages: Record<string, readonly string[]> = {
  '/': [],
  '/AllCourses': catalogueParameters,
  '/OneCourse': courseParameters,
  '/OneCourse/:slug': courseParameters,
  '/Login': ['error', 'from', 'notice'],
  '/SignUp': ['from'],
  '/Instructor': [],
  '/Terms': [],
  '/Privacy': [],
  '/Suggestions': ['q'],
  '/MoreCourses': catalogueParameters,
  '/robots.txt': [],
  '/sitemap.xml': [],
}

const names = new Map(Object.keys(publicPages).map((path) => [path.toLowerCase(), path]))
/** React Router asks for the data of some of a page's routes by this. */
const dataParameter = '_routes'
const longestAddress = 1_000

/**
 * The one address of a public page, for every way to write it: letter case, encoding, a slash at the end, parameters that
 * the page does not know, and their order.
 *
 * @returns path and query; null for what is no public page, or an address longer than any of ours.
 */
export function findPublicAddress({ pathname, searchParams }: URL): string | null {
  const [, path = '', data = ''] =
    /^(.*?)\/?(\.data)?$/.exec(pathname.replace(/^\/_root\.data$|\/_\.data$/, '/.data')) ?? []
  const [, section = '', slug, ...more] = path.split('/').map(decodeSegment)
  const name = names.get(slug === undefined ? `/${section.toLowerCase()}` : `/${section.toLowerCase()}/:slug`)
  // `/_.data` is how React Router asks for an address with a slash at its end; `/_root.data` how it did before version 8.
  if (name === undefined || slug === '' || slug === '_' || more.length > 0) return null
  // With a slash behind it: the same address without the slash would be another page's data.
  if (slug?.endsWith('.data')) return null
  const known = data ? [dataParameter, ...(publicPages[name] ?? [])] : (publicPages[name] ?? [])
  const query = new URLSearchParams(
    known.flatMap((parameter) => {
      const values = searchParams.getAll(parameter)
      const kept = repeated.has(parameter) ? [...new Set(values)].sort() : values.slice(0, 1)
      return kept.map((value) => [parameter, value])
    }),
  )
  const page = name.replace(':slug', encodeURIComponent(slug ?? ''))
  const address = `${data && page === '/' ? '/_' : page}${data}${query.size > 0 ? `?${query}` : ''}`
  return address.length > longestAddress ? null : address
}

/** The pattern of its route, which says nothing of a course. @param address of `findPublicAddress`. */
export function routeOfPublicAddress(address: string): string {
  const path = (address.split('?')[0] ?? '').replace(/\.data$/, '')
  const page = path === '/_' ? '/' : path
  return [page, `/${page.split('/')[1]}/:slug`].find((route) => Object.hasOwn(publicPages, route)) ?? otherRoute
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
