/**
 * The types of the catalog: what a query asks for, and what its result contains. `catalogUrl`
 * writes a query into a URL, and `parseCatalogQuery` in `catalog-query-schema.ts` reads it again.
 */
import type { FacetGroup, LengthRange, Level, MinimumRating, PriceRange, Sort } from './facets'

/** Everything that the URL of a catalog page says. */
export type CatalogQuery = {
  /** The searched text after `normalizeSearch`. If it is empty, the whole catalog is listed. */
  q: string
  /** Whether to search for the text as it was typed, without correcting typing errors. */
  exact: boolean
  /** Whether to list also the courses that match only by skills, lesson titles or subtitle. */
  mentions: boolean
  /** The ID of a category, or 'all'. */
  category: string
  level: Level | 'all'
  rating: MinimumRating[]
  length: LengthRange[]
  price: PriceRange[]
  language: string[]
  skill: string[]
  instructor: string[]
  /** Without a search, 'best' lists the courses with the most students first. */
  sort: Sort
  /**
   * The ID of the course that the page comes after, or that it ends before. At most one of the two
   * is set.
   */
  after: string | null
  before: string | null
}

export const catalogPath = '/AllCourses'
/**
 * The ID of the course that `/OneCourse` shows without an ID. The course isn't in the catalog, but
 * searches find it.
 */
export const defaultCourseId = 'complete-web-development'
/** Responds with a `CatalogSlice` as JSON, which is the same for everyone. */
const moreCoursesPath = '/MoreCourses'
/** The number of courses on a page. */
export const pageLength = 24

/** The maximum number of courses that a search counts. If there are more, counts read '1,000+'. */
export const maxCountedCourses = 1_000

/** The URL parameters that can have several values. */
export const multiValueParameters = [
  'rating',
  'length',
  'price',
  'language',
  'skill',
  'instructor',
] as const
/** All URL parameters of the catalog, in the order in which `catalogUrl` writes them. */
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

/** The query that lists the whole catalog. */
export const emptyCatalogQuery: CatalogQuery = {
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

/** Returns the shortest URL of a query: default values are left out. */
export function catalogUrl(query: CatalogQuery): string {
  const parameters = new URLSearchParams()
  for (const name of queryParameters) {
    const value = query[name]
    if (Array.isArray(value)) {
      for (const item of value) {
        parameters.append(name, item)
      }
    } else if (value !== emptyCatalogQuery[name]) {
      parameters.set(name, value === true ? '1' : String(value))
    }
  }

  return parameters.size === 0 ? catalogPath : `${catalogPath}?${parameters}`
}

/** Returns the URL that responds with a page of the list as data. */
export function moreCoursesUrl(query: CatalogQuery): string {
  return catalogUrl(query).replace(catalogPath, moreCoursesPath)
}

/**
 * Returns the first page of a query after a change. `exact` and `mentions` apply to one searched
 * text only, so another text resets them.
 */
export function changeQuery(query: CatalogQuery, change: Partial<CatalogQuery>): CatalogQuery {
  const resetValues = change.q === undefined ? {} : { exact: false, mentions: false }
  return { ...query, after: null, before: null, ...resetValues, ...change }
}

/** Returns whether the query has a search or a filter. */
export function isNarrowed(query: CatalogQuery): boolean {
  return catalogUrl({ ...query, sort: 'best', after: null, before: null }) !== catalogPath
}

/**
 * The parts of a text that match a search, as their start and end in UTF-16 code units. They are in
 * order and don't overlap.
 */
export type Marks = [from: number, to: number][]

/** What the card of a course shows. */
export type CatalogCourse = {
  id: string
  title: string
  /** The specification calls this the description. */
  summary: string
  instructorName: string
  rating: number
  reviews: number
  durationHours: number
  students: number
  /** The formatted price, such as '$49'. */
  price: string
  categoryName: string
  level: Level
  /** The matches of the search. Without a search, the lists are empty. */
  marks: { title: Marks; summary: Marks; instructorName: Marks }
}

export type FacetOption = {
  /** The value in the URL. */
  value: string
  /** The displayed text, unless it is the value. */
  name?: string
  /** The number of courses that the list would have if only this option of its group was chosen. */
  count: number
  /**
   * Set if the list has more courses than were counted, so that there may be more with this option.
   */
  isPartial?: true
}

/** Returns the displayed text of an option. */
export function getOptionName(options: readonly FacetOption[], value: string): string {
  return options.find((option) => option.value === value)?.name ?? value
}

/** What a catalog page shows for a `CatalogQuery`. */
export type CatalogResult = {
  /** The category of the query, or 'all' if there is no such category. */
  category: string
  /** The courses of one page: at most `pageLength`. */
  courses: CatalogCourse[]
  /** The number of courses in the whole list, of which at most `maxCountedCourses` are counted. */
  total: number
  /** Whether the list has more courses than were counted. */
  isPartial: boolean
  /**
   * The number of courses that only mention the searched text, by skills, lesson titles or
   * subtitle, and are not in the list because others match by title, description or instructor.
   * There may be more if the number is above `maxCountedCourses`.
   */
  hiddenMentionCount: number
  /** Whether all courses of the list only mention the searched text. */
  hasOnlyMentions: boolean
  /** The searched text before and after typing errors were corrected. Null if it had none. */
  correction: { from: string; to: string } | null
  /**
   * The options of each group. Category and level start with 'all'. Skills and instructors are
   * sorted by count, after chosen options that are not among the most common ones.
   */
  facets: Record<FacetGroup, FacetOption[]>
  /**
   * The course IDs for `after` of the next page, and for `before` of the previous page. Null if
   * there is no such page.
   */
  nextCursor: string | null
  previousCursor: string | null
  /** Suggestions after a search without results. Null if there are results. */
  alternatives: {
    /** Searches without one of the words, the one with the most courses first. */
    without: { word: string; q: string; count: number }[]
    /** The categories of the nearest courses, with the number of these courses. */
    categories: { category: string; name: string; count: number }[]
  } | null
}

export type Suggestion = {
  text: string
  /** The parts that match the typed text. */
  marks: Marks
  /** The URL that the suggestion leads to. */
  address: string
  /**
   * The number of courses behind the URL, which is 1 for a course. Null for words, because a search
   * finds more courses than those that have the word.
   */
  count: number | null
}

/** Suggestions for a text that is being typed. Each list has the best one first. */
export type Suggestions = {
  courses: Suggestion[]
  instructors: Suggestion[]
  skills: Suggestion[]
  /** Texts that complete the typed text, or that correct it. */
  words: Suggestion[]
}

/**
 * `GET /Suggestions?q=...` responds with `Suggestions` as JSON, which are the same for everyone.
 */
export const suggestionsPath = '/Suggestions'

/** The courses that "Show more" adds to a list, and the cursor of the page after them. */
export type CatalogSlice = { courses: CatalogCourse[]; next: string | null }
