import { CourseSet } from './course-set'

const mostKept = 32

/** The bits of sets that nobody needs any more: a set of a million places is made anew at twenty times the cost. */
export class SpareBits {
  readonly #spare: Uint32Array<ArrayBuffer>[] = []

  take(length: number): Uint32Array<ArrayBuffer> {
    return this.#spare.pop()?.fill(0) ?? new Uint32Array(length)
  }

  give(bits: Uint32Array<ArrayBuffer>): void {
    if (this.#spare.length < mostKept) this.#spare.push(bits)
  }
}

/** The sets that one answer needs, which end with it. */
export class SetPool {
  readonly #spare: SpareBits
  readonly #places: number
  readonly #made: Uint32Array<ArrayBuffer>[] = []

  constructor(spare: SpareBits, places: number) {
    this.#spare = spare
    this.#places = places
  }

  /** An empty set, whose copies belong to the pool, too. */
  make(): CourseSet {
    return new CourseSet(this.#places, (length) => {
      const bits = this.#spare.take(length)
      this.#made.push(bits)
      return bits
    })
  }

  /** From now on nobody may look at the sets. */
  end(): void {
    for (const bits of this.#made.splice(0)) this.#spare.give(bits)
  }
}
