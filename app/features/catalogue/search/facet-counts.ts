import type { CatalogueQuery } from './catalogue-query'
import type { FacetOption } from './catalogue-result'
import type { CourseSet } from './course-set'
import { type FacetGroup, facetGroups, isNamed } from './facets'
import type { OptionSets } from './option-sets.server'

/** What is chosen in a group; nothing for 'all'. */
export function listChosen(query: CatalogueQuery, group: FacetGroup): readonly string[] {
  const value = query[group]
  return Array.isArray(value) ? value : value === 'all' ? [] : [value]
}

/** The courses that the choices of every group leave, but for one group; null if nothing is chosen. */
export function listChosenCourses(query: CatalogueQuery, sets: OptionSets, except?: FacetGroup): CourseSet | null {
  let left: CourseSet | null = null
  for (const group of facetGroups) {
    const chosen = group === except ? [] : listChosen(query, group)
    const [first, ...more] = chosen.map((value) => sets.setOf(group, value))
    if (!first) continue
    const any = more.length > 0 ? more.reduce((all, set) => all.addAll(set), first.copy()) : first
    left = left ? left.keep(any) : any.copy()
  }
  return left
}

/** What is left of some courses, which may be the very same. @param chosen null for all. */
export function narrow(courses: CourseSet, chosen: CourseSet | null): CourseSet {
  return chosen ? courses.copy().keep(chosen) : courses
}

/**
 * How many courses each option of some filters would leave.
 *
 * @param found the courses of the search, not narrowed down; `shown` are what is left of them.
 * @param values of each group, in order, or in any where their courses decide; the chosen ones come first where they are missing.
 */
export function countOptions<Group extends FacetGroup>(
  { found, shown }: { found: CourseSet; shown: CourseSet },
  query: CatalogueQuery,
  values: Record<Group, readonly string[]>,
  sets: OptionSets,
): Record<Group, FacetOption[]> {
  const options = (Object.keys(values) as Group[]).map((group) => {
    const chosen = listChosen(query, group)
    const rest = chosen.length > 0 ? narrow(found, listChosenCourses(query, sets, group)) : shown
    const count = (value: string) => ({ value, count: sets.count(rest, group, value) })
    const missing = chosen.filter((value) => !values[group].includes(value)).map(count)
    const offered = values[group].map(count)
    if (isNamed(group)) return [group, [...missing, ...offered.sort((a, b) => b.count - a.count)]]
    const isSingle = group === 'category' || group === 'level'
    return [group, [...(isSingle ? [{ value: 'all', count: rest.size }] : []), ...missing, ...offered]]
  })
  return Object.fromEntries(options) as Record<Group, FacetOption[]>
}
