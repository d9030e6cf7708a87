/**
 * The groups of filters that are columns of `course_search`, and the values of these columns.
 *
 * `catalog_counts`, the table of counts for the unsearched catalog, has the same columns. Both
 * tables store an option as the URL writes it ('4.5', '5-20', 'design').
 */
import { type FacetGroup, findRange, lengthRanges, priceRanges, ratingNames } from './facets'

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

/** The lowest rating of each option, highest first. */
export const minimumRatings = Object.keys(ratingNames).sort((a, b) => Number(b) - Number(a))
/** The stored range of a course that is rated below the lowest option. */
const ratingRangeBelowOptions = 'lower'

/**
 * Returns the ranges that a course belongs to, as the columns store them.
 *
 * @param dollarMinor the minor units that count as a dollar in the bounds of the price ranges
 */
export function getCourseRanges(
  course: { rating: number; durationHours: number; priceMinor: number },
  dollarMinor: number,
): { ratingRange: string; lengthRange: string; priceRange: string } {
  const ratingRange = minimumRatings.find((minimum) => course.rating >= Number(minimum))

  // Every length and price belongs to a range, except a negative one.
  return {
    ratingRange: ratingRange ?? ratingRangeBelowOptions,
    lengthRange: findRange(lengthRanges, course.durationHours) ?? '0-5',
    priceRange: findRange(priceRanges, course.priceMinor / dollarMinor) ?? 'free',
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
