import type { Level } from '../course-filters'
import type { LengthStep, PriceStep, RatingStep, Sort } from './facets'

/** The catalog's query: everything in its address. */
export type CatalogQuery = {
  /** As typed, with spaces folded; empty shows the whole catalog. */
  q: string
  /** Search as typed: correct no typing errors. */
  exact: boolean
  /** Show also the courses that match only by skills, lesson titles or subtitle. */
  mentions: boolean
  /** An id, or 'all'. */
  category: string
  level: Level | 'all'
  rating: RatingStep[]
  length: LengthStep[]
  price: PriceStep[]
  language: string[]
  skill: string[]
  instructor: string[]
  /** 'best' without a search is most students first. */
  sort: Sort
  /** Id of the course that the page comes after, or that it ends before; at most one of the two. */
  after: string | null
  before: string | null
}

export const catalogAddress = '/AllCourses'
/** Answers with a `CatalogSlice` as JSON; the same for everyone. */
const moreAddress = '/MoreCourses'
/** Courses on a page. */
export const pageLength = 24

/** Courses of a search that are counted; of more, counts read '1,000+'. */
export const mostCounted = 1_000

/** Parameters that can have several values. */
export const severalOf = ['rating', 'length', 'price', 'language', 'skill', 'instructor'] as const
/** Every parameter of the catalog's address, in the order in which they are written. */
export const queryParameters = [
  'q',
  'exact',
  'mentions',
  'category',
  'level',
  ...severalOf,
  'sort',
  'after',
  'before',
] as const satisfies (keyof CatalogQuery)[]

/** The whole catalog. */
export const everything: CatalogQuery = {
  q: '',
  exact: false,
  mentions: false,
  category: 'all',
  level: 'all',
  rating: [],
  length: [],
  price: [],
  language: [],
  skill: [],
  instructor: [],
  sort: 'best',
  after: null,
  before: null,
}

/** The shortest address of a query: defaults are left out. Reading it gives the query again. */
export function addressOfQuery(query: CatalogQuery): string {
  const parameters = new URLSearchParams()
  for (const name of queryParameters) {
    const value = query[name]
    if (Array.isArray(value)) {
      for (const item of value) {
        parameters.append(name, item)
      }
    } else if (value !== everything[name]) {
      parameters.set(name, value === true ? '1' : String(value))
    }
  }

  return parameters.size === 0 ? catalogAddress : `${catalogAddress}?${parameters}`
}

/** Where a page of the list comes from as data. */
export function addressOfMore(query: CatalogQuery): string {
  return addressOfQuery(query).replace(catalogAddress, moreAddress)
}

/**
 * The query with a change, from its first page on. Other words start without `exact` and
 * `mentions`.
 */
export function changeQuery(query: CatalogQuery, change: Partial<CatalogQuery>): CatalogQuery {
  const fresh = change.q === undefined ? {} : { exact: false, mentions: false }
  return { ...query, after: null, before: null, ...fresh, ...change }
}

/** Whether a search or filter is set. */
export function isNarrowed(query: CatalogQuery): boolean {
  return addressOfQuery({ ...query, sort: 'best', after: null, before: null }) !== catalogAddress
}
