import { foldSearch } from '../course-filters'
import { type Column, writeColumn } from './column-bytes'
import type { CourseSet } from './course-set'
import { type FacetGroup, lengthNames, priceNames, ratingNames, stepOf } from './facets'
import type { IndexedCourse } from './index-builder'

/** Groups of which a course has few combinations of options: by the number of its own one, all of them are counted at once. */
const traits = {
  kind: ['category', 'level', 'rating', 'length', 'price'],
  language: ['language'],
} as const satisfies Record<string, readonly FacetGroup[]>
export type Trait = keyof typeof traits
export const traitNames = Object.keys(traits) as Trait[]

/** The trait that knows the options of a group; null for skills and instructors, of which there are too many. */
export function traitOf(group: string): Trait | null {
  return traitNames.find((trait) => traits[trait].some((own) => own === group)) ?? null
}

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

/** Numbers the combinations of a trait in the order in which they come. */
export class TraitWriter {
  readonly #trait: Trait
  readonly #numbers = new Map<string, number>()
  readonly #column: number[] = []

  constructor(trait: Trait) {
    this.#trait = trait
  }

  /** @param options of the next course. */
  add(options: readonly Option[]): void {
    const combination = JSON.stringify(options.filter(([group]) => traitOf(group) === this.#trait))
    const number = this.#numbers.get(combination) ?? this.#numbers.size
    if (number === this.#numbers.size) this.#numbers.set(combination, number)
    this.#column.push(number)
  }

  get column(): Buffer {
    return writeColumn(this.#column)
  }

  /** As `TraitColumn` takes them. */
  get combinations(): Buffer {
    return Buffer.from(`[${[...this.#numbers.keys()].join()}]`)
  }
}

/** Which combination each course of a segment has. */
export class TraitColumn {
  readonly #offset: number
  readonly #column: Column
  /** Each option once. */
  readonly #options: string[]
  /** Of each combination, by their index. */
  readonly #combinations: number[][]

  /** @param offset first place of the segment, a multiple of 32. */
  constructor(offset: number, column: Column, combinations: string) {
    this.#offset = offset
    this.#column = column
    const read = JSON.parse(combinations) as Option[][]
    const keys = read.map((options) => options.map((option) => option.join('\t')))
    this.#options = [...new Set(keys.flat())]
    const indexOf = new Map(this.#options.map((option, index) => [option, index]))
    this.#combinations = keys.map((options) => options.map((option) => indexOf.get(option) ?? 0))
  }

  /** Adds how many of these courses have each option, by group, tab and name. */
  addCounts({ bits }: CourseSet, counts: Map<string, number>): Map<string, number> {
    const ofCombination = new Int32Array(this.#combinations.length)
    const column = this.#column
    const first = this.#offset >>> 5
    const words = (column.length + 31) >>> 5
    for (let index = 0; index < words; index++) {
      for (let rest = bits[first + index] as number; rest !== 0; rest &= rest - 1) {
        const number = column[(index << 5) + 31 - Math.clz32(rest & -rest)] as number
        ofCombination[number] = (ofCombination[number] as number) + 1
      }
    }
    const ofOption = new Int32Array(this.#options.length)
    for (const [number, count] of ofCombination.entries()) {
      if (count === 0) continue
      for (const option of this.#combinations[number] as number[])
        ofOption[option] = (ofOption[option] as number) + count
    }
    for (const [index, option] of this.#options.entries())
      counts.set(option, (counts.get(option) ?? 0) + (ofOption[index] as number))
    return counts
  }
}
