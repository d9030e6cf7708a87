import { CourseSet } from './course-set'
import type { SetMemory } from './set-memory'

/** The sets that one answer needs, which end with it. */
export class SetPool {
  readonly #slots: number[] = []

  constructor(readonly memory: SetMemory) {
    memory.giveLater(this, this.#slots)
  }

  /** An empty set. */
  make(): CourseSet {
    const set = new CourseSet(this)
    this.memory.numbers.fill(0, set.first, set.first + this.memory.length)
    return set
  }

  /** @returns where a new set begins. */
  take(): number {
    return this.memory.take(this.#slots)
  }

  /** From now on nobody may look at the sets. A pool that never ends goes with its last set. */
  end(): void {
    this.memory.give(this.#slots)
  }
}
