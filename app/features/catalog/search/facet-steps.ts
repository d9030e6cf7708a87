import { categoryNames, levelNames } from '../course-filters'
import { type FacetGroup, lengthNames, priceNames, ratingNames, stepOf } from './facets'

/**
 * A course's steps in six groups of filters are one number, so that PostgreSQL counts the options of all of them by grouping
 * by a single integer: where a group's bits begin, and how many it has.
 */
const bits = {
  category: [0, 3],
  level: [3, 2],
  rating: [5, 3],
  length: [8, 2],
  price: [10, 3],
  language: [13, 12],
} as const satisfies Partial<Record<FacetGroup, readonly [from: number, count: number]>>

export type PackedGroup = keyof typeof bits
export const packedGroups = Object.keys(bits) as PackedGroup[]

export const mostLanguages = 2 ** bits.language[1]

const keysOf = (names: Record<string, string>) => Object.keys(names).filter((name) => name !== 'all')
/** An integer among the keys of an object comes first, so these are sorted by their numbers; 'free' has none. */
const byNumber = (names: Record<string, string>) =>
  keysOf(names).sort((a, b) => (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0))

/** The values of the groups that are the same for every catalog, a step each. */
const values = {
  category: keysOf(categoryNames),
  level: keysOf(levelNames),
  rating: byNumber(ratingNames),
  length: byNumber(lengthNames),
  price: ['free', ...byNumber(priceNames).filter((step) => step !== 'free')],
}

/** The options of each group in the order of the page. @param languages the names of all, by their numbers. */
export function listValues(group: PackedGroup, languages: Languages): readonly string[] {
  if (group === 'language') return [...languages.keys()]
  return group === 'rating' ? values.rating.toReversed() : values[group]
}

/** Numbers by name, the language with the most courses first. */
export type Languages = ReadonlyMap<string, number>

type Facts = {
  category: string
  level: string
  rating: number
  durationHours: number
  priceCents: number
  /** The number of its language. */
  language: number
}

/** Where a course stands in each group. */
export function stepsOfCourse(course: Facts): Record<PackedGroup, number> {
  const { category, level, rating, durationHours, priceCents, language } = course
  const steps = {
    category: values.category.indexOf(category),
    level: values.level.indexOf(level),
    rating: values.rating.filter((least) => rating >= Number(least)).length,
    length: values.length.indexOf(stepOf(lengthNames, durationHours) ?? ''),
    price: values.price.indexOf(stepOf(priceNames, priceCents / 100) ?? ''),
    language,
  }
  const known = packedGroups.map((group) => [group, Math.max(0, steps[group])])
  return Object.fromEntries(known)
}

export function packFacets(steps: Record<PackedGroup, number>): number {
  return packedGroups.reduce((packed, group) => packed | (steps[group] << bits[group][0]), 0)
}

/** The step of one group in a course's number. */
export function stepIn(facets: number, group: PackedGroup): number {
  const [from, count] = bits[group]
  return (facets >> from) & (2 ** count - 1)
}

/** The steps that an option of a filter leaves: '4.0 and up' leaves two. None for an unknown language. */
export function stepsOf(group: PackedGroup, value: string, languages: Languages): number[] {
  if (group === 'language') return [languages.get(value) ?? []].flat()
  const step = values[group].indexOf(value)
  if (group !== 'rating') return [step]
  return values.rating.flatMap((_, at) => (at >= step ? at + 1 : []))
}
