import { cleanText } from '~/ui/form/clean-text'

export type Level = 'beginner' | 'intermediate' | 'advanced'

export const levelNames: Record<Level | 'all', string> = {
  all: 'All Levels',
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
}

/** The lowest rating of each option. */
export const ratingNames = {
  '4.5': '4.5 and up',
  '4': '4.0 and up',
  '3.5': '3.5 and up',
  '3': '3.0 and up',
} as const

/** Hours of material; the first number belongs to a step, the second to the next one. */
export const lengthNames = {
  '0-5': 'Under 5 hours',
  '5-20': '5 to 20 hours',
  '20-40': '20 to 40 hours',
  '40': '40 hours or more',
} as const

/** Bounds as with hours, in hundreds of the currency's minor units: 50 is $50, and ¥5,000. */
export const priceSteps = ['free', '0-50', '50-100', '100-150', '150'] as const

export const sortNames = {
  best: 'Best match',
  students: 'Most students',
  rated: 'Best rated',
  newest: 'Newest',
  'price-up': 'Price: low to high',
  'price-down': 'Price: high to low',
} as const

export type RatingStep = keyof typeof ratingNames
export type LengthStep = keyof typeof lengthNames
export type PriceStep = (typeof priceSteps)[number]
export const lengthSteps = Object.keys(lengthNames) as LengthStep[]
export type Sort = keyof typeof sortNames

/**
 * The filters of the catalog, in the order of the page. Options of one group widen, groups narrow.
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
/** Their options are the most common names in the list, the group's own choices left out. */
export const namedGroups = ['skill', 'instructor'] as const satisfies FacetGroup[]
export type NamedGroup = (typeof namedGroups)[number]
/** The maximum number of options in a group of names. */
export const maxNamesPerGroup = 12

const fixedNames: Partial<Record<FacetGroup, Record<string, string>>> = {
  level: levelNames,
  rating: ratingNames,
  length: lengthNames,
}

/**
 * How an option reads: languages, skills and instructors are their own names.
 *
 * @param priceText writes minor units of the currency as a price.
 */
export function formatFacetOption(
  group: FacetGroup,
  value: string,
  priceText: (minorUnits: number) => string,
): string {
  if (group === 'price') {
    return priceName(value, priceText)
  }

  if (group === 'category') {
    return value === 'all' ? 'All Categories' : value
  }

  const names = fixedNames[group]

  return names && Object.hasOwn(names, value) ? (names[value] ?? value) : value
}

function priceName(step: string, priceText: (minorUnits: number) => string): string {
  const [from, to] = step.split('-').map((bound) => priceText(Number(bound) * 100))
  if (step === 'free') {
    return 'Free'
  }

  if (to === undefined) {
    return `${from} or more`
  }

  return step.startsWith('0-') ? `Under ${to}` : `${from} to ${to}`
}

/**
 * The first step that a number belongs to; bounds are like '5-20', '40' or a name, which stands for
 * 0 alone.
 */
export function findRange<Step extends string>(steps: readonly Step[], value: number): Step | null {
  for (const step of steps) {
    const [from, to] = step.split('-').map(Number)
    if (
      Number.isNaN(from)
        ? value === 0
        : value >= (from ?? 0) && value < (to ?? Number.POSITIVE_INFINITY)
    ) {
      return step
    }
  }

  return null
}

const maxSearchLength = 100
/** Nearly every name has this form already. */
const plainName = /^[!-~]+(?: [!-~]+)*$/

/**
 * Returns a search text as it is compared and displayed. A text of nothing but invisible characters
 * is kept, because it is a search that finds nothing, unlike an empty one, which finds everything.
 */
export function normalizeSearch(typed: string): string {
  return limitLength(cleanText(typed)) || normalizeName(typed)
}

/**
 * Returns the name of a language, a skill or an instructor as an option of a filter. Names are
 * displayed, so they keep their quotes and dashes. Control characters count as spaces, because
 * PostgreSQL refuses NUL in a text.
 */
export function normalizeName(name: string): string {
  if (name.length <= maxSearchLength && plainName.test(name)) {
    return name
  }

  const spacedName = name
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return limitLength(spacedName)
}

/** Cuts a text without cutting a character in half. */
function limitLength(text: string): string {
  return [...text].slice(0, maxSearchLength).join('').trim()
}

/**
 * The fixed sample of `/OneCourse` without a parameter: outside the catalog, but searches find it.
 */
export const sampleCourseId = 'complete-web-development'
