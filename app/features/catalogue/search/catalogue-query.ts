import * as z from 'zod/mini'
import { type Category, categoryNames, foldSearch, type Level, levelNames } from '../course-filters'
import {
  type LengthStep,
  lengthNames,
  type PriceStep,
  priceNames,
  type RatingStep,
  ratingNames,
  type Sort,
  sortNames,
} from './facets'

/** What the catalogue is asked for: everything in its address. */
export type CatalogueQuery = {
  /** As typed, with spaces folded; empty shows the whole catalogue. */
  q: string
  /** Search as typed: correct no typing errors. */
  exact: boolean
  /** Show also the courses that match only by skills, lesson titles or subtitle. */
  mentions: boolean
  category: Category | 'all'
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

export const catalogueAddress = '/AllCourses'
/** Courses on a page. */
export const pageLength = 24
const mostChosen = 20
const longestName = 80

const keysOf = <Key extends string>(names: Record<Key, string>) => Object.keys(names) as [Key, ...Key[]]
const oneOf = <Key extends string>(names: Record<Key, string>, otherwise: NoInfer<Key>) =>
  z.catch(z.enum(keysOf(names)), otherwise as never)
const flag = z.pipe(
  z.unknown(),
  z.transform((value) => value === '1'),
)
const several = <Item extends string>(keep: (value: string) => value is Item) =>
  z.pipe(
    z.array(z.string()),
    z.transform((values) => [...new Set(values.map(foldSearch))].filter(keep).toSorted().slice(0, mostChosen)),
  )
const someOf = <Key extends string>(names: Record<Key, string>) =>
  several((value): value is Key => Object.hasOwn(names, value))
const freely = several((value): value is string => value !== '' && value.length <= longestName)
const courseId = z.catch(z.nullable(z.string().check(z.regex(/^[a-z0-9-]{1,100}$/))), null)

/** Reads the parameters of the address; a value that does not exist counts as not chosen. */
const schema = z.object({
  q: z.pipe(z.string(), z.transform(foldSearch)),
  exact: flag,
  mentions: flag,
  category: oneOf(categoryNames, 'all'),
  level: oneOf(levelNames, 'all'),
  rating: someOf(ratingNames),
  length: someOf(lengthNames),
  price: someOf(priceNames),
  language: freely,
  skill: freely,
  instructor: freely,
  sort: oneOf(sortNames, 'best'),
  after: courseId,
  before: courseId,
})

const severalOf = ['rating', 'length', 'price', 'language', 'skill', 'instructor'] as const
/** Every parameter of the catalogue's address, in the order in which they are written. */
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
] as const satisfies (keyof CatalogueQuery)[]

export function parseCatalogueQuery(parameters: URLSearchParams): CatalogueQuery {
  const isSeveral = (name: string) => severalOf.some((several) => several === name)
  const query: CatalogueQuery = schema.parse({
    ...Object.fromEntries(
      queryParameters.map((name) => [name, isSeveral(name) ? parameters.getAll(name) : parameters.get(name)]),
    ),
    q: parameters.get('q') ?? '',
  })
  return query.after === null ? query : { ...query, before: null }
}

/** The whole catalogue. */
export const everything: CatalogueQuery = parseCatalogueQuery(new URLSearchParams())

/** The shortest address of a query: what is not chosen is left out. Reading it gives the query again. */
export function addressOfQuery(query: CatalogueQuery): string {
  const parameters = new URLSearchParams()
  for (const name of queryParameters) {
    const value = query[name]
    if (Array.isArray(value)) for (const item of value) parameters.append(name, item)
    else if (value !== everything[name]) parameters.set(name, value === true ? '1' : String(value))
  }
  return parameters.size === 0 ? catalogueAddress : `${catalogueAddress}?${parameters}`
}

/** The query with something else chosen, from its first page on; other words are corrected and widened anew. */
export function changeQuery(query: CatalogueQuery, change: Partial<CatalogueQuery>): CatalogueQuery {
  const fresh = change.q === undefined ? {} : { exact: false, mentions: false }
  return { ...query, after: null, before: null, ...fresh, ...change }
}

/** Whether anything narrows the catalogue down. */
export function isNarrowed(query: CatalogueQuery): boolean {
  return addressOfQuery({ ...query, sort: 'best', after: null, before: null }) !== catalogueAddress
}
