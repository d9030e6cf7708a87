import type { CourseSet } from './course-set'
import type { FacetGroup } from './facets'
import type { SearchIndex } from './search-index.server'
import { addKept, countKept, type KeptSet } from './set-bytes'

type Part = { kept: KeptSet; offset: number }

type Option = readonly [group: FacetGroup | 'listed', value: string]

/** The courses of options, for one answer. */
export class OptionSets {
  readonly #index: SearchIndex
  readonly #parts = new Map<string, Part[]>()
  readonly #sets = new Map<string, CourseSet>()

  constructor(index: SearchIndex) {
    this.#index = index
  }

  /** @throws {IndexChanged} */
  async read(options: readonly Option[]): Promise<void> {
    const missing = options.filter((option) => !this.#index.kept.lastingSetOf(...option))
    for (const [option, parts] of await this.#index.readParts(missing)) this.#parts.set(option, parts)
  }

  /** Nobody may change it. */
  setOf(...[group, value]: Option): CourseSet {
    const option = `${group}\t${value}`
    const known = this.#index.lastingSetOf(group, value) ?? this.#sets.get(option)
    if (known) return known
    const set = this.#index.makeSet()
    for (const { kept, offset } of this.#partsOf(option)) addKept(set, kept, offset)
    this.#sets.set(option, set)
    return set
  }

  /** How many of these courses have an option. */
  count(courses: CourseSet, group: FacetGroup, value: string): number {
    const lasting = this.#index.kept.lastingSetOf(group, value)
    if (lasting) return courses.countCommon(lasting)
    return this.#partsOf(`${group}\t${value}`).reduce(
      (sum, { kept, offset }) => sum + countKept(courses, kept, offset),
      0,
    )
  }

  #partsOf(option: string): Part[] {
    const parts = this.#parts.get(option)
    if (!parts) throw new RangeError(`The option ${option} was not read.`)
    return parts
  }
}
