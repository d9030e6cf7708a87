import type { CatalogueQuery } from './catalogue-query'
import type { FacetOption } from './catalogue-result'
import type { CourseSet } from './course-set'
import { type FacetGroup, facetGroups, facetName } from './facets'

/** What is chosen in a group; nothing for 'all'. */
export function listChosen(query: CatalogueQuery, group: FacetGroup): readonly string[] {
  const value = query[group]
  return Array.isArray(value) ? value : value === 'all' ? [] : [value]
}

type SetOf = (group: FacetGroup, value: string) => CourseSet

/** Leaves in `courses` what the choices of every group leave, but for one group. */
export function narrow(courses: CourseSet, query: CatalogueQuery, setOf: SetOf, except?: FacetGroup): CourseSet {
  for (const group of facetGroups) {
    const chosen = group === except ? [] : listChosen(query, group)
    const [first, ...more] = chosen.map((value) => setOf(group, value))
    if (first) courses.keep(more.reduce((all, set) => all.addAll(set), first.copy()))
  }
  return courses
}

/**
 * How many courses each option of the filters would leave.
 *
 * @param found the courses of the search, not narrowed down.
 * @param values of each group, in order; the chosen ones come first where they are missing.
 */
export function countOptions(
  found: CourseSet,
  query: CatalogueQuery,
  values: Record<FacetGroup, readonly string[]>,
  setOf: SetOf,
): Record<FacetGroup, FacetOption[]> {
  const narrowed = narrow(found.copy(), query, setOf)
  const options = facetGroups.map((group) => {
    const chosen = listChosen(query, group)
    const rest = chosen.length > 0 ? narrow(found.copy(), query, setOf, group) : narrowed
    const countOf = counter(rest)
    const own = [...new Set([...chosen.filter((value) => !values[group].includes(value)), ...values[group]])]
    const counted = own.map((value) => ({
      value,
      name: facetName(group, value),
      count: countOf(setOf(group, value)),
      chosen: chosen.includes(value),
    }))
    const all = { value: 'all', name: facetName(group, 'all'), count: rest.size, chosen: chosen.length === 0 }
    return [group, group === 'category' || group === 'level' ? [all, ...counted] : counted]
  })
  return Object.fromEntries(options)
}

/** Few courses are quicker looked up one by one than compared with all bits of an option. */
function counter(courses: CourseSet): (option: CourseSet) => number {
  if (courses.size > courses.bits.length / 4) return (option) => option.countCommon(courses)
  const places = courses.list()
  return (option) => places.reduce((count, place) => count + (option.has(place) ? 1 : 0), 0)
}
