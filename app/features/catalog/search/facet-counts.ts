import { levelNames } from '../course-filters'
import type { CatalogQuery } from './catalog-query'
import type { FacetOption } from './catalog-result'
import {
  type FacetGroup,
  facetGroups,
  lengthNames,
  lengthSteps,
  mostNames,
  type NamedGroup,
  priceSteps,
  ratingNames,
  stepOf,
} from './facets'

/**
 * A course's steps in six groups of filters are one number, so that PostgreSQL counts the options
 * of all of them by grouping by a single integer of 31 bits: where a group's bits begin, and how
 * many it has.
 */
const bits = {
  category: [0, 9],
  level: [9, 2],
  rating: [11, 3],
  length: [14, 2],
  price: [16, 3],
  language: [19, 12],
} as const satisfies Partial<Record<FacetGroup, readonly [from: number, count: number]>>

type PackedGroup = keyof typeof bits
export const packedGroups = Object.keys(bits) as PackedGroup[]

/** Numbers of languages and categories. */
export const mostLanguages = 2 ** bits.language[1]
export const mostCategories = 2 ** bits.category[1]

const keysOf = (names: Record<string, string>) =>
  Object.keys(names).filter((name) => name !== 'all')
/** An integer among the keys of an object comes first, so these are sorted by their numbers. */
const byNumber = (names: Record<string, string>) =>
  keysOf(names).sort((a, b) => (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0))

/** The values of the groups that are the same for every catalog, a step each. */
const values = {
  level: keysOf(levelNames),
  rating: byNumber(ratingNames),
  length: byNumber(lengthNames),
  price: priceSteps as readonly string[],
}

/** The options of each group in the order of the page. */
function listValues(
  group: PackedGroup,
  { languages, categories }: CatalogNames,
): readonly string[] {
  if (group === 'language') {
    return [...languages.keys()]
  }

  if (group === 'category') {
    return [...categories.keys()]
  }

  return group === 'rating' ? values.rating.toReversed() : values[group]
}

/** The names that the content gives. */
export type CatalogNames = {
  /** Numbers by name, the language with the most courses first. */
  languages: ReadonlyMap<string, number>
  /** By id, in the order of their file. No course ever had one without a number. */
  categories: ReadonlyMap<string, { name: string; number: number | null }>
}

type Facts = {
  /** The number of its category. */
  category: number
  level: string
  rating: number
  durationHours: number
  priceCents: number
  /** The number of its language. */
  language: number
}

/** A course's step in each group. */
export function stepsOfCourse(course: Facts): Record<PackedGroup, number> {
  const { category, level, rating, durationHours, priceCents, language } = course
  const steps = {
    category,
    level: values.level.indexOf(level),
    rating: values.rating.filter((least) => rating >= Number(least)).length,
    length: values.length.indexOf(stepOf(lengthSteps, durationHours) ?? ''),
    price: values.price.indexOf(stepOf(priceSteps, priceCents / 100) ?? ''),
    language,
  }
  const known = packedGroups.map((group) => [group, Math.max(0, steps[group])])

  return Object.fromEntries(known)
}

export function packFacets(steps: Record<PackedGroup, number>): number {
  return packedGroups.reduce((packed, group) => packed | (steps[group] << bits[group][0]), 0)
}

/** The step of one group in a course's number. */
function stepIn(facets: number, group: PackedGroup): number {
  const [from, count] = bits[group]
  return (facets >> from) & (2 ** count - 1)
}

/**
 * The steps that an option of a filter leaves: '4.0 and up' leaves two. None for an unknown
 * language or category.
 */
function stepsOf(
  group: PackedGroup,
  value: string,
  { languages, categories }: CatalogNames,
): number[] {
  if (group === 'language') {
    return [languages.get(value) ?? []].flat()
  }

  if (group === 'category') {
    return [categories.get(value)?.number ?? []].flat()
  }

  const step = values[group].indexOf(value)
  if (group !== 'rating') {
    return [step]
  }

  return values.rating.flatMap((_, at) => (at >= step ? at + 1 : []))
}

/** The chosen values of each group; none for 'all'. Options of one group widen, groups narrow. */
export type Chosen = Record<FacetGroup, readonly string[]>

export function listChosen(query: CatalogQuery): Chosen {
  return mapGroups((group) => {
    const value = query[group]
    return Array.isArray(value) ? value : value === 'all' ? [] : [value]
  })
}

/** The chosen values, without some groups. */
export function without(chosen: Chosen, ...groups: readonly FacetGroup[]): Chosen {
  return mapGroups((group) => (groups.includes(group) ? [] : chosen[group]))
}

function mapGroups<Value>(make: (group: FacetGroup) => Value): Record<FacetGroup, Value> {
  return Object.fromEntries(facetGroups.map((group) => [group, make(group)])) as Record<
    FacetGroup,
    Value
  >
}

/** How many courses have the same `packFacets`. */
export type FacetCount = readonly [facets: number, courses: number]

/** Whether a course's facets match the chosen values of the packed groups. */
export function facetTest(chosen: Chosen, names: CatalogNames): (facets: number) => boolean {
  const groups = packedGroups
    .filter((group) => chosen[group].length > 0)
    .map((group) => ({ group, steps: new Set(listSteps(group, chosen[group], names)) }))
  return (facets) => groups.every(({ group, steps }) => steps.has(stepIn(facets, group)))
}

export function listSteps(
  group: PackedGroup,
  chosen: readonly string[],
  names: CatalogNames,
): number[] {
  return chosen.flatMap((value) => stepsOf(group, value, names))
}

export function countCourses(
  counts: readonly FacetCount[],
  passes: (facets: number) => boolean = () => true,
): number {
  return counts.reduce((sum, [facets, courses]) => sum + (passes(facets) ? courses : 0), 0)
}

type Counted = { counts: readonly FacetCount[]; isPartial: boolean }

/**
 * The options of a packed group with the courses that each would leave; its own choices are left
 * out of the count.
 */
export function countOptions(
  group: PackedGroup,
  { counts, isPartial }: Counted,
  chosen: Chosen,
  names: CatalogNames,
): FacetOption[] {
  const passes = facetTest(without(chosen, group), names)
  const left = counts.filter(([facets]) => passes(facets))
  const count = (value: string): FacetOption => {
    const steps = new Set(stepsOf(group, value, names))
    return option(
      value,
      countCourses(left, (facets) => steps.has(stepIn(facets, group))),
      isPartial,
    )
  }
  const offered = listValues(group, names)
  const isSingle = group === 'category' || group === 'level'
  const all = isSingle ? [option('all', countCourses(left), isPartial)] : []
  const unknown = chosen[group].filter((value) => !offered.includes(value))

  return [...all, ...[...unknown, ...offered].map(count)]
}

/** The names with the most courses, those first that are chosen and not among them. */
export function nameOptions(
  group: NamedGroup,
  {
    counts,
    isPartial,
  }: { counts: readonly (readonly [name: string, courses: number])[]; isPartial: boolean },
  chosen: Chosen,
): FacetOption[] {
  const sorted = counts.toSorted(([a, courses], [b, more]) => more - courses || (a < b ? -1 : 1))
  const offered = sorted.slice(0, mostNames)
  const others = chosen[group]
    .filter((name) => !offered.some(([other]) => other === name))
    .map((name) => counts.find(([other]) => other === name) ?? ([name, 0] as const))

  return [...others, ...offered].map(([name, courses]) => option(name, courses, isPartial))
}

function option(value: string, count: number, isPartial: boolean): FacetOption {
  return isPartial ? { value, count, orMore: true } : { value, count }
}
