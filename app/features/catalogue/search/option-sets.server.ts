import type { CourseSet } from './course-set'
import { type TraitColumn, traitNames, traitOf } from './course-traits'
import type { FacetGroup } from './facets'
import type { SearchIndex } from './search-index.server'
import { addKept, countAmong, countKept, type KeptSet } from './set-bytes'

type Part = { kept: KeptSet; offset: number }

/** The courses of options, for one answer. */
export class OptionSets {
  readonly #index: SearchIndex
  readonly #parts = new Map<string, Part[]>()
  readonly #sets = new Map<string, CourseSet>()
  #traits: TraitColumn[] = []

  constructor(index: SearchIndex) {
    this.#index = index
  }

  /**
   * Reads the courses of options, and what counts those of the groups that have a trait.
   *
   * @throws {IndexChanged}
   */
  async read(options: readonly (readonly [group: FacetGroup | 'listed', value: string])[]): Promise<void> {
    const traits = await Promise.all(traitNames.map((trait) => this.#index.readTrait(trait)))
    this.#traits = traits.flat()
    for (const [option, parts] of await this.#index.readParts(options)) this.#parts.set(option, parts)
  }

  /** Nobody may change it. */
  setOf(group: FacetGroup | 'listed', value: string): CourseSet {
    const option = `${group}\t${value}`
    const known = this.#sets.get(option)
    if (known) return known
    const set = this.#index.makeSet()
    for (const { kept, offset } of this.#partsOf(option)) addKept(set, kept, offset)
    this.#sets.set(option, set)
    return set
  }

  /** Tells for each option how many of these courses have it. */
  counterOf(courses: CourseSet): (group: FacetGroup, value: string) => number {
    const among = lazily(() => (courses.size <= courses.bits.length / 4 ? courses.list() : null))
    const counted = lazily(() => this.#traits.reduce((counts, trait) => trait.addCounts(courses, counts), new Map()))
    return (group, value) => {
      const option = `${group}\t${value}`
      if (traitOf(group)) return counted().get(option) ?? 0
      const countPart = ({ kept, offset }: Part) => {
        const few = kept instanceof Uint32Array ? among() : null
        return few ? countAmong(few, kept as Uint32Array, offset) : countKept(courses, kept, offset)
      }
      return this.#partsOf(option).reduce((sum, part) => sum + countPart(part), 0)
    }
  }

  #partsOf(option: string): Part[] {
    const parts = this.#parts.get(option)
    if (!parts) throw new RangeError(`The option ${option} was not read.`)
    return parts
  }
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
