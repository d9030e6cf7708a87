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
/** The option of a single-choice group that stands for no choice. No course has this value. */
const noChoice = 'all'

/**
 * Returns the chosen options of a group. In the query, a single-choice group has one option, and
 * any other group has a list.
 */
function listChosenOptions(queryValue: string | readonly string[]): readonly string[] {
  if (typeof queryValue !== 'string') {
    return queryValue
  }

  return queryValue === noChoice ? [] : [queryValue]
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

/** How many courses have a value in a group's column or, in a named group, a name. */
export type ValueCount = readonly [value: string, courseCount: number]

type GroupCounts = {
  counts: readonly ValueCount[]
  /** Whether the count stopped at a maximum, so that there may be more courses. */
  isPartial: boolean
}

/**
 * Returns the options of a group with a column. The order is: the option for no choice if the group
 * has one, chosen options that the page does not offer, and offered options.
 *
 * @param groupCounts the courses by column value, counted without the group's own chosen options
 */
export function createColumnOptions(
  group: ColumnGroup,
  { counts, isPartial }: GroupCounts,
  chosenOptions: ChosenOptions,
  schoolOptions: SchoolOptions,
): FacetOption[] {
  const courseCountByValue = new Map(counts)
  const addCourseCount = (optionValue: string): FacetOption => {
    const columnValues = listColumnValues(group, optionValue)
    const courseCount = sum(columnValues.map((value) => courseCountByValue.get(value) ?? 0))
    return createOption(optionValue, courseCount, isPartial)
  }

  const offeredOptions = listOfferedOptions(group, schoolOptions)
  const unofferedChosenOptions = chosenOptions[group].filter(
    (option) => !offeredOptions.includes(option),
  )
  const options = [...unofferedChosenOptions, ...offeredOptions].map(addCourseCount)

  if (!singleChoiceGroups.includes(group)) {
    return options
  }

  const totalCourseCount = sum(counts.map(([, courseCount]) => courseCount))
  return [createOption(noChoice, totalCourseCount, isPartial), ...options]
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
  const commonNames = counts.toSorted(compareByCourseCount).slice(0, maxNamesPerGroup)

  const courseCountByName = new Map(counts)
  const otherChosenNames = chosenOptions[group]
    .filter((chosenName) => !commonNames.some(([name]) => name === chosenName))
    .map((name): ValueCount => [name, courseCountByName.get(name) ?? 0])

  return [...otherChosenNames, ...commonNames].map(([name, courseCount]) =>
    createOption(name, courseCount, isPartial),
  )
}

/** Sorts the value with the most courses first, and values with equally many by their names. */
function compareByCourseCount(a: ValueCount, b: ValueCount): number {
  const [valueA, courseCountA] = a
  const [valueB, courseCountB] = b
  // A value is listed once, so two values are never equal.
  return courseCountB - courseCountA || (valueA < valueB ? -1 : 1)
}

function createOption(value: string, count: number, isPartial: boolean): FacetOption {
  return isPartial ? { value, count, isPartial: true } : { value, count }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
