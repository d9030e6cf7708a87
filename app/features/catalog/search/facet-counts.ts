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
/** The stored range of a course that is rated below the lowest option. */
const belowAllOptions = 'lower'

const fixedOptions = {
  level: Object.keys(levelNames).filter((level) => level !== 'all'),
  rating: ratingOptions,
  length: lengthSteps,
  price: priceSteps,
} as const satisfies Partial<Record<ColumnGroup, readonly string[]>>

/** The options of the groups whose options depend on the school's content. */
export type ContentOptions = {
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
  const ratingRange = ratingOptions.find((minimum) => course.rating >= Number(minimum))

  return {
    ratingRange: ratingRange ?? belowAllOptions,
    lengthRange: findRange(lengthSteps, course.durationHours) ?? '0-5',
    priceRange: findRange(priceSteps, course.priceCents / 100) ?? 'free',
  }
}

/** The chosen options of each group. A group without a choice is empty. */
export type ChosenOptions = Record<FacetGroup, readonly string[]>

export function getChosenOptions(query: CatalogQuery): ChosenOptions {
  const entries = facetGroups.map((group) => [group, listChosenOptions(query[group])])
  return Object.fromEntries(entries) as ChosenOptions
}

function listChosenOptions(value: string | readonly string[]): readonly string[] {
  if (typeof value !== 'string') {
    return value
  }

  return value === 'all' ? [] : [value]
}

/** Returns the chosen options without those of one group. */
export function clearGroup(chosenOptions: ChosenOptions, group: FacetGroup): ChosenOptions {
  return { ...chosenOptions, [group]: [] }
}

/**
 * Returns the column values of the courses that an option leaves. They are the option itself, except
 * that the option '4.0 and up' also leaves the courses of '4.5 and up'.
 */
export function listColumnValues(group: ColumnGroup, option: string): readonly string[] {
  if (group === 'rating') {
    return ratingOptions.slice(0, ratingOptions.indexOf(option) + 1)
  }

  return [option]
}

/** How many courses have a value in a group's column. */
export type ValueCount = readonly [value: string, courses: number]

type GroupCounts = {
  counts: readonly ValueCount[]
  /** Whether only the first courses were counted. */
  isPartial: boolean
}

/**
 * Returns the options of a group with a column.
 *
 * @param groupCounts the courses by column value, counted without the group's own chosen options
 */
export function createColumnOptions(
  group: ColumnGroup,
  { counts, isPartial }: GroupCounts,
  chosenOptions: ChosenOptions,
  contentOptions: ContentOptions,
): FacetOption[] {
  const countByValue = new Map(counts)
  const countOption = (option: string): FacetOption => {
    const valueCounts = listColumnValues(group, option).map((value) => countByValue.get(value) ?? 0)
    return createOption(option, sum(valueCounts), isPartial)
  }

  const offeredOptions = listOfferedOptions(group, contentOptions)
  const unofferedChoices = chosenOptions[group].filter((option) => !offeredOptions.includes(option))
  const options = [...unofferedChoices, ...offeredOptions].map(countOption)

  const isSingleChoice = group === 'category' || group === 'level'
  if (!isSingleChoice) {
    return options
  }

  const total = sum(counts.map(([, courses]) => courses))
  return [createOption('all', total, isPartial), ...options]
}

/** Returns the options of a group in the order of the page. */
function listOfferedOptions(group: ColumnGroup, contentOptions: ContentOptions): readonly string[] {
  switch (group) {
    case 'category':
      return [...contentOptions.categories.keys()]
    case 'language':
      return contentOptions.languages
    default:
      return fixedOptions[group]
  }
}

/** Returns the names with the most courses. Chosen names that are not among them come first. */
export function createNamedOptions(
  group: NamedGroup,
  { counts, isPartial }: GroupCounts,
  chosenOptions: ChosenOptions,
): FacetOption[] {
  const offeredCounts = counts.toSorted(compareValueCounts).slice(0, maxNamesPerGroup)
  const offeredNames = new Set(offeredCounts.map(([name]) => name))

  const countByName = new Map(counts)
  const unofferedCounts = chosenOptions[group]
    .filter((name) => !offeredNames.has(name))
    .map((name): ValueCount => [name, countByName.get(name) ?? 0])

  return [...unofferedCounts, ...offeredCounts].map(([name, courses]) =>
    createOption(name, courses, isPartial),
  )
}

/** Sorts the most common value first, and equally common values by name. */
function compareValueCounts(a: ValueCount, b: ValueCount): number {
  const [valueA, coursesA] = a
  const [valueB, coursesB] = b
  return coursesB - coursesA || (valueA < valueB ? -1 : 1)
}

function createOption(value: string, count: number, isPartial: boolean): FacetOption {
  return isPartial ? { value, count, orMore: true } : { value, count }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
