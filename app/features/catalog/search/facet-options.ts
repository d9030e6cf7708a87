/**
 * The options of the catalog's filters, with the number of courses that each option would leave.
 *
 * Most groups of filters have a column in `course_search` and fixed options. Skills and instructors
 * are the named groups, whose options are the most common names.
 */
import type { CatalogQuery, FacetOption } from './catalog-query'
import { type ColumnGroup, listColumnValues, minimumRatings } from './facet-columns'
import {
  type FacetGroup,
  facetGroups,
  lengthRanges,
  levelNames,
  maxNamesPerGroup,
  type NamedGroup,
  priceRanges,
} from './facets'

/** The chosen options of each group. The list of a group without a choice is empty. */
export type ChosenOptions = Record<FacetGroup, readonly string[]>

export function getChosenOptions(query: CatalogQuery): ChosenOptions {
  const entries = facetGroups.map((group) => [group, listChosenOptions(query[group])])
  return Object.fromEntries(entries) as ChosenOptions
}

/** The groups in which at most one option can be chosen. */
const singleChoiceGroups: readonly FacetGroup[] = ['category', 'level']
/** The value of such a group while nothing is chosen. No course has it. */
const noChoice = 'all'

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

/** The options of the groups whose options depend on the school's content. */
export type SchoolOptions = {
  /** The language with the most courses comes first. */
  languages: readonly string[]
  /** Category names by ID, in the order of the categories file. */
  categories: ReadonlyMap<string, string>
}

/** How many courses have a value in a group's column, or a name. */
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
  const coursesByValue = new Map(counts)
  const countOption = (option: string): FacetOption => {
    const values = listColumnValues(group, option)
    const courses = sum(values.map((value) => coursesByValue.get(value) ?? 0))
    return createOption(option, courses, isPartial)
  }

  const offeredOptions = listOfferedOptions(group, schoolOptions)
  const otherChosenOptions = chosenOptions[group].filter(
    (option) => !offeredOptions.includes(option),
  )
  const options = [...otherChosenOptions, ...offeredOptions].map(countOption)

  if (!singleChoiceGroups.includes(group)) {
    return options
  }

  const totalCourses = sum(counts.map(([, courses]) => courses))
  return [createOption(noChoice, totalCourses, isPartial), ...options]
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

const fixedOptions = {
  level: Object.keys(levelNames).filter((level) => level !== noChoice),
  rating: minimumRatings,
  length: lengthRanges,
  price: priceRanges,
} as const satisfies Partial<Record<ColumnGroup, readonly string[]>>

/** Returns the names with the most courses. Chosen names that are not among them come first. */
export function createNamedOptions(
  group: NamedGroup,
  { counts, isPartial }: GroupCounts,
  chosenOptions: ChosenOptions,
): FacetOption[] {
  const commonNames = counts.toSorted(compareByCourses).slice(0, maxNamesPerGroup)

  const coursesByName = new Map(counts)
  const otherChosenNames = chosenOptions[group]
    .filter((chosenName) => !commonNames.some(([name]) => name === chosenName))
    .map((name): ValueCount => [name, coursesByName.get(name) ?? 0])

  return [...otherChosenNames, ...commonNames].map(([name, courses]) =>
    createOption(name, courses, isPartial),
  )
}

/** Sorts the value with the most courses first, and values with equally many by their names. */
function compareByCourses(a: ValueCount, b: ValueCount): number {
  const [valueA, coursesA] = a
  const [valueB, coursesB] = b
  // A value is listed once, so two values are never equal.
  return coursesB - coursesA || (valueA < valueB ? -1 : 1)
}

function createOption(value: string, count: number, isPartial: boolean): FacetOption {
  return isPartial ? { value, count, isPartial: true } : { value, count }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
