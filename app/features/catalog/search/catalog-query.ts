import type { FacetGroup, LengthStep, Level, PriceStep, RatingStep, Sort } from './facets'

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

export const catalogPath = '/AllCourses'
/** Answers with a `CatalogSlice` as JSON; the same for everyone. */
const moreCoursesPath = '/MoreCourses'
/** Courses on a page. */
export const pageLength = 24

/** Courses of a search that are counted; of more, counts read '1,000+'. */
export const maxCountedCourses = 1_000

/** Parameters that can have several values. */
export const multiValueParameters = [
  'rating',
  'length',
  'price',
  'language',
  'skill',
  'instructor',
] as const
/** Every parameter of the catalog's address, in the order in which they are written. */
export const queryParameters = [
  'q',
  'exact',
  'mentions',
  'category',
  'level',
  ...multiValueParameters,
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
export function catalogUrl(query: CatalogQuery): string {
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

  return parameters.size === 0 ? catalogPath : `${catalogPath}?${parameters}`
}

/** Where a page of the list comes from as data. */
export function moreCoursesUrl(query: CatalogQuery): string {
  return catalogUrl(query).replace(catalogPath, moreCoursesPath)
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
  return catalogUrl({ ...query, sort: 'best', after: null, before: null }) !== catalogPath
}

/**
 * Where a text matches: begin and end of each piece in UTF-16 code units, in order, never
 * overlapping.
 */
export type Marks = [from: number, to: number][]

/** A course as its card shows it. */
export type CatalogCourse = {
  id: string
  title: string
  /** The specification's description. */
  summary: string
  instructorName: string
  rating: number
  reviews: number
  durationHours: number
  students: number
  /** As shown, like '$49'. */
  price: string
  categoryName: string
  level: Level
  /** Where the search matched; empty lists without a search. */
  marks: { title: Marks; summary: Marks; instructorName: Marks }
}

export type FacetOption = {
  /** For the address. */
  value: string
  /** As shown, where that isn't the value. */
  name?: string
  /** Courses that the list would have with this option, its own group's other choices left out. */
  count: number
  /** There may be more: only the first courses of very many were counted. */
  orMore?: true
}

/** How a value of a filter reads. */
export function getOptionName(options: readonly FacetOption[], value: string): string {
  return options.find((option) => option.value === value)?.name ?? value
}

/** The answer to a `CatalogQuery`. */
export type CatalogResult = {
  /** The query's; 'all' if there is no such category. */
  category: string
  /** At most 24. */
  courses: CatalogCourse[]
  /** N of 'Showing N courses': the whole list, of which `courses` is a page. */
  total: number
  /** Whether the list has more than `total`. */
  orMore: boolean
  /**
   * How the list splits: by the specification's fields, and only by skills, lesson titles or
   * subtitle.
   */
  matches: {
    exact: number
    /** Above `maxCountedCourses`, the exact number is unknown. */
    mention: number
  }
  /** Whether the list includes mentions: the query asks for them, or no course matches exactly. */
  showsMentions: boolean
  /** 'Showing results for TO. Search for FROM instead.', which is the query with `exact`. */
  corrected: { from: string; to: string } | null
  /**
   * Chosen options first where a group is long, then by count; category and level have every
   * option, 'all' first.
   */
  facets: Record<FacetGroup, FacetOption[]>
  /**
   * For `after` of the next page, and for `before` of the previous one; null where there is none.
   */
  next: string | null
  previous: string | null
  /** Suggestions for a search without results; null if there are results. */
  alternatives: {
    /** The search without one of its words, most courses first. */
    without: { word: string; q: string; count: number }[]
    /** With as many courses as match the rest of the words. */
    categories: { category: string; name: string; count: number }[]
  } | null
}

export type Suggestion = {
  text: string
  /** The typed text. */
  marks: Marks
  /** Where choosing it leads. */
  address: string
  /**
   * Courses that it leads to; 1 for a course, null for words: a search finds them also as pieces of
   * others.
   */
  count: number | null
}

/** For the text typed so far: at most 10 in all, best first in each list. */
export type Suggestions = {
  courses: Suggestion[]
  instructors: Suggestion[]
  skills: Suggestion[]
  /** Words that continue the typed text, or its corrected form. */
  words: Suggestion[]
}

/** Answers `GET /Suggestions?q=...` as JSON; the same for everyone. */
export const suggestionsPath = '/Suggestions'

/** A page of a list that is there already. */
export type CatalogSlice = Pick<CatalogResult, 'courses' | 'next'>
