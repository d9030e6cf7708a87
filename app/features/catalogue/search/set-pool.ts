import { CourseSet } from './course-set'
import type { SetMemory } from './set-memory'

/** The sets that one answer needs, which end with it, or sets that last. */
export class SetPool {
  readonly #slots: number[] = []
  readonly #lasts: boolean

  constructor(
    readonly memory: SetMemory,
    { lasts = false } = {},
  ) {
    this.#lasts = lasts
    memory.giveLater(this, this.#slots)
  }

  /** An empty set. */
  make(): CourseSet {
    const set = new CourseSet(this)
    this.memory.numbers.fill(0, set.first, set.first + this.memory.length)
    return set
  }

  /** A set with these bits, the first one that of place 0. */
  makeOf(bits: Uint32Array): CourseSet {
    const set = new CourseSet(this)
    this.memory.numbers.set(bits, set.first)
    this.memory.numbers.fill(0, set.first + bits.length, set.first + this.memory.length)
    return set
  }

  /** A set of another pool of the same memory, which nobody may change, to be copied in this one. */
  show({ first }: CourseSet): CourseSet {
    return new CourseSet(this, first)
  }

  /** @returns where a new set begins. */
  take(): number {
    return this.#lasts ? this.memory.takeLasting() : this.memory.take(this.#slots)
  }

  /** From now on nobody may look at the sets. A pool that never ends goes with its last set. */
  end(): void {
    this.memory.give(this.#slots)
  }
}
