import type { CatalogueQuery } from './catalog-query'
import type { FacetOption } from './catalog-result'
import { type Languages, listValues, type PackedGroup, packedGroups, stepIn, stepsOf } from './facet-steps'
import { type FacetGroup, facetGroups, mostNames, type NamedGroup } from './facets'

/** What is chosen in each group; nothing for 'all'. Options of one group widen, groups narrow. */
export type Chosen = Record<FacetGroup, readonly string[]>

export function listChosen(query: CatalogueQuery): Chosen {
  return mapGroups((group) => {
    const value = query[group]
    return Array.isArray(value) ? value : value === 'all' ? [] : [value]
  })
}

/** What is chosen but for some groups. */
export function without(chosen: Chosen, ...groups: readonly FacetGroup[]): Chosen {
  return mapGroups((group) => (groups.includes(group) ? [] : chosen[group]))
}

function mapGroups<Value>(make: (group: FacetGroup) => Value): Record<FacetGroup, Value> {
  return Object.fromEntries(facetGroups.map((group) => [group, make(group)])) as Record<FacetGroup, Value>
}

/** How many courses have the same `packFacets`. */
export type FacetCount = readonly [facets: number, courses: number]

/** Whether a course's facets pass what is chosen in the packed groups. */
export function facetTest(chosen: Chosen, languages: Languages): (facets: number) => boolean {
  const groups = packedGroups
    .filter((group) => chosen[group].length > 0)
    .map((group) => ({ group, steps: new Set(listSteps(group, chosen[group], languages)) }))
  return (facets) => groups.every(({ group, steps }) => steps.has(stepIn(facets, group)))
}

export function listSteps(group: PackedGroup, chosen: readonly string[], languages: Languages): number[] {
  return chosen.flatMap((value) => stepsOf(group, value, languages))
}

export function countCourses(counts: readonly FacetCount[], passes: (facets: number) => boolean = () => true): number {
  return counts.reduce((sum, [facets, courses]) => sum + (passes(facets) ? courses : 0), 0)
}

type Counted = { counts: readonly FacetCount[]; isPartial: boolean }

/** The options of a packed group with the courses that each would leave; its own choices are left out of the count. */
export function countOptions(
  group: PackedGroup,
  { counts, isPartial }: Counted,
  chosen: Chosen,
  languages: Languages,
): FacetOption[] {
  const passes = facetTest(without(chosen, group), languages)
  const left = counts.filter(([facets]) => passes(facets))
  const count = (value: string): FacetOption => {
    const steps = new Set(stepsOf(group, value, languages))
    return option(
      value,
      countCourses(left, (facets) => steps.has(stepIn(facets, group))),
      isPartial,
    )
  }
  const offered = listValues(group, languages)
  const isSingle = group === 'category' || group === 'level'
  const all = isSingle ? [option('all', countCourses(left), isPartial)] : []
  const unknown = chosen[group].filter((value) => !offered.includes(value))
  return [...all, ...[...unknown, ...offered].map(count)]
}

/** The names with the most courses, those first that are chosen and not among them. */
export function nameOptions(
  group: NamedGroup,
  { counts, isPartial }: { counts: readonly (readonly [name: string, courses: number])[]; isPartial: boolean },
  chosen: Chosen,
): FacetOption[] {
  const sorted = counts.toSorted(([a, courses], [b, more]) => more - courses || (a < b ? -1 : 1))
  const offered = sorted.slice(0, mostNames)
  const others = chosen[group]
    .filter((name) => !offered.some(([other]) => other === name))
    .map((name) => counts.find(([other]) => other === name) ?? ([name, 0] as const))
  return [...others, ...offered].map(([name, courses]) => option(name, courses, isPartial))
}

function option(value: string, count: number, isPartial: boolean): FacetOption {
  return isPartial ? { value, count, orMore: true } : { value, count }
}
