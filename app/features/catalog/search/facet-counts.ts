import type { CatalogQuery, FacetOption } from './catalog-query'
import {
  type FacetGroup,
  facetGroups,
  findRange,
  lengthSteps,
  levelNames,
  maxNamesPerGroup,
  type NamedGroup,
  priceSteps,
  ratingNames,
} from './facets'

/**
 * The options of the catalog's filters, with the number of courses that each option would leave.
 *
 * Six groups of filters have a column each in `course_search`, which stores the course's option as
 * the URL writes it ('4.5', '5-20', 'design'). Skills and instructors are the named groups, whose
 * options are the most common names.
 */

/** The column of `course_search` and `catalog_counts` that stores a course's option. */
export const columnByGroup = {
  category: 'category',
  level: 'level',
  rating: 'rating_range',
  length: 'length_range',
  price: 'price_range',
  language: 'language',
} as const satisfies Partial<Record<FacetGroup, string>>

export type ColumnGroup = keyof typeof columnByGroup
export const columnGroups = Object.keys(columnByGroup) as ColumnGroup[]

/** The ratings from which an option starts, highest first. */
const ratingOptions = Object.keys(ratingNames).sort((a, b) => Number(b) - Number(a))
/** Stored for a course that is rated below the lowest option. */
const belowAllOptions = 'lower'

const fixedOptions = {
  level: Object.keys(levelNames).filter((level) => level !== 'all'),
  rating: ratingOptions,
  length: lengthSteps,
  price: priceSteps,
} as const satisfies Partial<Record<ColumnGroup, readonly string[]>>

/** The names that the school's content gives. */
export type CatalogNames = {
  /** The language with the most courses comes first. */
  languages: readonly string[]
  /** Category names by ID, in the order of the categories file. */
  categories: ReadonlyMap<string, string>
}

/** Returns the ranges that a course belongs to, as the columns of `course_search` store them. */
export function getCourseRanges(course: {
  rating: number
  durationHours: number
  priceCents: number
}): { ratingRange: string; lengthRange: string; priceRange: string } {
  const ratingRange = ratingOptions.find((lowest) => course.rating >= Number(lowest))

  return {
    ratingRange: ratingRange ?? belowAllOptions,
    lengthRange: findRange(lengthSteps, course.durationHours) ?? lengthSteps[0] ?? '0-5',
    priceRange: findRange(priceSteps, course.priceCents / 100) ?? 'free',
  }
}

/** The chosen options of each group. A group without a choice is empty. */
export type Chosen = Record<FacetGroup, readonly string[]>

export function listChosen(query: CatalogQuery): Chosen {
  return mapGroups((group) => {
    const value = query[group]
    if (Array.isArray(value)) {
      return value
    }

    return value === 'all' ? [] : [value]
  })
}

/** Returns the chosen options, without those of some groups. */
export function without(chosen: Chosen, ...groups: readonly FacetGroup[]): Chosen {
  return mapGroups((group) => (groups.includes(group) ? [] : chosen[group]))
}

function mapGroups<Value>(make: (group: FacetGroup) => Value): Record<FacetGroup, Value> {
  return Object.fromEntries(facetGroups.map((group) => [group, make(group)])) as Record<
    FacetGroup,
    Value
  >
}

/**
 * Returns the column values that an option leaves. They are the option itself, except that the
 * option '4.0 and up' also leaves the courses of '4.5 and up'.
 */
export function listColumnValues(group: ColumnGroup, option: string): readonly string[] {
  if (group === 'rating') {
    return ratingOptions.slice(0, ratingOptions.indexOf(option) + 1)
  }

  return [option]
}

/** How many courses have a value in a group's column. */
export type ValueCount = readonly [value: string, courses: number]
type Counted = { counts: readonly ValueCount[]; isPartial: boolean }

/**
 * Returns the options of a group with a column.
 *
 * @param counted courses by column value, counted without the group's own choices
 */
export function listColumnOptions(
  group: ColumnGroup,
  { counts, isPartial }: Counted,
  chosen: Chosen,
  names: CatalogNames,
): FacetOption[] {
  const coursesByValue = new Map(counts)
  const countOption = (option: string): FacetOption => {
    const values = listColumnValues(group, option)
    const courses = values.map((value) => coursesByValue.get(value) ?? 0)
    return toOption(option, sum(courses), isPartial)
  }

  const offered = listOffered(group, names)
  const unknown = chosen[group].filter((option) => !offered.includes(option))
  const options = [...unknown, ...offered].map(countOption)

  const isSingleChoice = group === 'category' || group === 'level'
  if (!isSingleChoice) {
    return options
  }

  const allCourses = sum(counts.map(([, courses]) => courses))
  return [toOption('all', allCourses, isPartial), ...options]
}

/** Returns the options of a group in the order of the page. */
function listOffered(group: ColumnGroup, names: CatalogNames): readonly string[] {
  switch (group) {
    case 'category':
      return [...names.categories.keys()]
    case 'language':
      return names.languages
    default:
      return fixedOptions[group]
  }
}

/** Returns the names with the most courses. Chosen names that are not among them come first. */
export function listNamedOptions(
  group: NamedGroup,
  { counts, isPartial }: Counted,
  chosen: Chosen,
): FacetOption[] {
  const sorted = counts.toSorted(([a, courses], [b, more]) => more - courses || (a < b ? -1 : 1))
  const offered = sorted.slice(0, maxNamesPerGroup)
  const others = chosen[group]
    .filter((name) => !offered.some(([other]) => other === name))
    .map((name) => counts.find(([other]) => other === name) ?? ([name, 0] as const))

  return [...others, ...offered].map(([name, courses]) => toOption(name, courses, isPartial))
}

function toOption(value: string, count: number, isPartial: boolean): FacetOption {
  return isPartial ? { value, count, orMore: true } : { value, count }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
