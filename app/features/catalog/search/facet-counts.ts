/**
 * The options of the catalog's filters, with the number of courses that each option would leave.
 *
 * Most groups of filters have a column (`columnByGroup`). Skills and instructors are the named
 * groups, whose options are the most common names.
 */
import type { CatalogQuery, FacetOption } from './catalog-query'
import {
  type FacetGroup,
  facetGroups,
  findRange,
  lengthRanges,
  levelNames,
  maxNamesPerGroup,
  type NamedGroup,
  priceRanges,
  ratingNames,
} from './facets'

/*
 * The columns of `course_search` that store to which filter options a course belongs, and of
 * `catalog_counts`, the table of counts for the unsearched catalog. Both store an option as the URL
 * writes it ('4.5', '5-20', 'design').
 */

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
const minimumRatings = Object.keys(ratingNames).sort((a, b) => Number(b) - Number(a))
/** The stored range of a course that is rated below the lowest option. */
const unlistedRating = 'lower'

/**
 * Returns the ranges that a course belongs to, as the columns of `course_search` store them.
 *
 * @param dollarMinor the minor units that count as a dollar in the bounds of the price ranges
 */
export function getCourseRanges(
  course: { rating: number; durationHours: number; priceCents: number },
  dollarMinor: number,
): { ratingRange: string; lengthRange: string; priceRange: string } {
  const ratingRange = minimumRatings.find((minimum) => course.rating >= Number(minimum))

  // Every length and price belongs to a range, except a negative one.
  return {
    ratingRange: ratingRange ?? unlistedRating,
    lengthRange: findRange(lengthRanges, course.durationHours) ?? '0-5',
    priceRange: findRange(priceRanges, course.priceCents / dollarMinor) ?? 'free',
  }
}

/**
 * Returns the column values that match an option. They are the option itself, except that the
 * option '4.0 and up' also matches the courses of '4.5 and up'.
 */
export function listColumnValues(group: ColumnGroup, option: string): readonly string[] {
  if (group === 'rating') {
    return minimumRatings.slice(0, minimumRatings.indexOf(option) + 1)
  }

  return [option]
}

/** The value of a single-choice group in which nothing is chosen. No course has it. */
const noChoice = 'all'

/** The groups in which at most one option can be chosen. */
const singleChoiceGroups: readonly FacetGroup[] = ['category', 'level']

const fixedOptions = {
  level: Object.keys(levelNames).filter((level) => level !== noChoice),
  rating: minimumRatings,
  length: lengthRanges,
  price: priceRanges,
} as const satisfies Partial<Record<ColumnGroup, readonly string[]>>

/** The options of the groups whose options depend on the school's content. */
export type SchoolOptions = {
  /** The language with the most courses comes first. */
  languages: readonly string[]
  /** Category names by ID, in the order of the categories file. */
  categories: ReadonlyMap<string, string>
}

/** The chosen options of each group. A group without a choice is empty. */
export type ChosenOptions = Record<FacetGroup, readonly string[]>

export function getChosenOptions(query: CatalogQuery): ChosenOptions {
  const entries = facetGroups.map((group) => [group, listChosenOptions(query[group])])
  return Object.fromEntries(entries) as ChosenOptions
}

/** @param value the chosen options or, for a single-choice group, the chosen option */
function listChosenOptions(value: string | readonly string[]): readonly string[] {
  if (typeof value !== 'string') {
    return value
  }

  return value === noChoice ? [] : [value]
}

/** Returns the chosen options without those of one group. */
export function clearGroup(chosenOptions: ChosenOptions, group: FacetGroup): ChosenOptions {
  return { ...chosenOptions, [group]: [] }
}

/** How many courses have a value in a group's column. */
export type ValueCount = readonly [value: string, courses: number]

type GroupCounts = {
  counts: readonly ValueCount[]
  /** Whether the count stopped at a maximum, so that there may be more courses. */
  isPartial: boolean
}

/**
 * Returns the options of a group with a column. Chosen options that the page does not offer come
 * first, and the option that chooses nothing comes before all others.
 *
 * @param groupCounts the courses by column value, counted without the group's own chosen options
 */
export function createColumnOptions(
  group: ColumnGroup,
  { counts, isPartial }: GroupCounts,
  chosenOptions: ChosenOptions,
  schoolOptions: SchoolOptions,
): FacetOption[] {
  const countByValue = new Map(counts)
  const countOption = (option: string): FacetOption => {
    const valueCounts = listColumnValues(group, option).map((value) => countByValue.get(value) ?? 0)
    return createOption(option, sum(valueCounts), isPartial)
  }

  const offeredOptions = listOfferedOptions(group, schoolOptions)
  const unofferedChoices = chosenOptions[group].filter((option) => !offeredOptions.includes(option))
  const options = [...unofferedChoices, ...offeredOptions].map(countOption)

  if (!singleChoiceGroups.includes(group)) {
    return options
  }

  const total = sum(counts.map(([, courses]) => courses))
  return [createOption(noChoice, total, isPartial), ...options]
}

/** Returns the options that the page offers, in its order. */
function listOfferedOptions(group: ColumnGroup, schoolOptions: SchoolOptions): readonly string[] {
  switch (group) {
    case 'category':
      return [...schoolOptions.categories.keys()]
    case 'language':
      return schoolOptions.languages
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
  const mostCommon = counts.toSorted(compareByCourses).slice(0, maxNamesPerGroup)
  const mostCommonNames = new Set(mostCommon.map(([name]) => name))

  const countByName = new Map(counts)
  const unmostCommon = chosenOptions[group]
    .filter((name) => !mostCommonNames.has(name))
    .map((name): ValueCount => [name, countByName.get(name) ?? 0])

  return [...unmostCommon, ...mostCommon].map(([name, courses]) =>
    createOption(name, courses, isPartial),
  )
}

/**
 * Sorts the value with the most courses first. Values are unique, so two of them are never equal.
 */
function compareByCourses(a: ValueCount, b: ValueCount): number {
  const [valueA, coursesA] = a
  const [valueB, coursesB] = b
  return coursesB - coursesA || (valueA < valueB ? -1 : 1)
}

function createOption(value: string, count: number, isPartial: boolean): FacetOption {
  return isPartial ? { value, count, isPartial: true } : { value, count }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
