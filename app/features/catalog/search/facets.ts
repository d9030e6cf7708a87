/**
 * The vocabulary of the catalog's filters: their groups, and the values and displayed texts of
 * their options. The URL, the search index and the page use the same values.
 */

export type Level = 'beginner' | 'intermediate' | 'advanced'

export const levelNames: Record<Level | 'all', string> = {
  all: 'All Levels',
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
}

/** The options by rating. The key is the lowest rating of an option. */
export const ratingNames = {
  '4.5': '4.5 and up',
  '4': '4.0 and up',
  '3.5': '3.5 and up',
  '3': '3.0 and up',
} as const
export type MinimumRating = keyof typeof ratingNames

/** The options by length in hours, from short to long. '5-20' includes 5 hours, but not 20. */
export const lengthRanges = ['0-5', '5-20', '20-40', '40'] as const
export type LengthRange = (typeof lengthRanges)[number]

// `lengthRanges` is not made of these keys, because JavaScript lists whole numbers such as '40'
// first.
export const lengthNames: Record<LengthRange, string> = {
  '0-5': 'Under 5 hours',
  '5-20': '5 to 20 hours',
  '20-40': '20 to 40 hours',
  '40': '40 hours or more',
}

/**
 * The options by price, with bounds like those of the lengths. They are in about US dollars,
 * whatever the currency is: 50 is $50, ¥5,000 and 17,500 forint. `formatPriceRange` makes their
 * texts.
 */
export const priceRanges = ['free', '0-50', '50-100', '100-150', '150'] as const
export type PriceRange = (typeof priceRanges)[number]

/** The orders of the list of courses, which are not filters. */
export const sortNames = {
  best: 'Best match',
  students: 'Most students',
  rated: 'Best rated',
  newest: 'Newest',
  'price-up': 'Price: low to high',
  'price-down': 'Price: high to low',
} as const
export type Sort = keyof typeof sortNames

/**
 * The groups of filters. The list has the courses that match, in each group with a chosen option,
 * at least one of the chosen options.
 */
export const facetGroups = [
  'category',
  'level',
  'rating',
  'length',
  'price',
  'language',
  'skill',
  'instructor',
] as const
export type FacetGroup = (typeof facetGroups)[number]

/** The groups whose options are the most common names among the courses of the list. */
export const namedGroups = ['skill', 'instructor'] as const satisfies FacetGroup[]
export type NamedGroup = (typeof namedGroups)[number]

/** The maximum number of options in a group of names. */
export const maxNamesPerGroup = 12

const optionNames: Partial<Record<FacetGroup, Record<string, string>>> = {
  level: levelNames,
  rating: ratingNames,
  length: lengthNames,
}

/**
 * Returns the displayed text of an option. Languages, skills and instructors are displayed as they
 * are.
 *
 * @param formatBound formats a bound of a price range, such as 50, as an amount
 */
export function formatFacetOption(
  group: FacetGroup,
  value: string,
  formatBound: (bound: number) => string,
): string {
  if (group === 'price') {
    return formatPriceRange(value, formatBound)
  }

  if (group === 'category') {
    return value === 'all' ? 'All Categories' : value
  }

  const names = optionNames[group] ?? {}
  // A value such as 'constructor' must not find a property of every object.
  const name = Object.hasOwn(names, value) ? names[value] : undefined
  return name ?? value
}

function formatPriceRange(range: string, formatBound: (bound: number) => string): string {
  if (range === 'free') {
    return 'Free'
  }

  const [from, to] = range.split('-').map((bound) => formatBound(Number(bound)))
  if (to === undefined) {
    return `${from} or more`
  }

  return range.startsWith('0-') ? `Under ${to}` : `${from} to ${to}`
}

/**
 * Returns the first range that a number belongs to.
 *
 * @param ranges such as '5-20', '40' (40 or more) and 'free' (exactly 0)
 */
export function findRange<Range extends string>(
  ranges: readonly Range[],
  value: number,
): Range | null {
  return ranges.find((range) => isInRange(range, value)) ?? null
}

function isInRange(range: string, value: number): boolean {
  if (range === 'free') {
    return value === 0
  }

  const [from = 0, to = Number.POSITIVE_INFINITY] = range.split('-').map(Number)
  return value >= from && value < to
}
