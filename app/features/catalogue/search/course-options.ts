import { foldSearch } from '../course-filters'
import { type FacetGroup, lengthNames, priceNames, ratingNames, stepOf } from './facets'
import type { IndexedCourse } from './index-builder'

export type Option = readonly [group: FacetGroup, name: string]

/** All options of the filters that a course belongs to. */
export function listOptions(course: IndexedCourse): Option[] {
  const ratings = Object.keys(ratingNames).filter((step) => course.rating >= Number(step))
  return [
    ['category', course.category],
    ['level', course.level],
    ...ratings.map((step): Option => ['rating', step]),
    ['length', stepOf(lengthNames, course.durationHours) ?? ''],
    ['price', stepOf(priceNames, course.priceCents / 100) ?? ''],
    ['language', foldSearch(course.language)],
    ['instructor', foldSearch(course.instructorName)],
    ...course.skills.map((skill): Option => ['skill', foldSearch(skill)]),
  ]
}
