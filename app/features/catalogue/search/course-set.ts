import type { SetMemory } from './set-memory'
import type { SetPool } from './set-pool'

/** A set of courses by their places in the index, a bit for each: quick to combine and to count at any size. */
export class CourseSet {
  /** Where it begins in the memory, in 32-bit numbers. */
  readonly first: number
  readonly #pool: SetPool
  readonly #memory: SetMemory
  /** Null until it is counted. */
  #size: number | null = null

  /** @param pool makes empty ones: this one has the bits of an earlier set. */
  constructor(pool: SetPool, first = pool.take()) {
    this.#pool = pool
    this.#memory = pool.memory
    this.first = first
  }

  /** To be read, before another set is made; only the set itself changes them. */
  get bits(): Uint32Array {
    return this.#memory.numbers.subarray(this.first, this.first + ((this.#memory.places + 31) >>> 5))
  }

  add(place: number): void {
    const { numbers } = this.#memory
    const at = this.first + (place >>> 5)
    numbers[at] = (numbers[at] as number) | (1 << (place & 31))
    this.#size = null
  }

  has(place: number): boolean {
    return (((this.#memory.numbers[this.first + (place >>> 5)] as number) >>> (place & 31)) & 1) === 1
  }

  /** Adds all of another set to this one. */
  addAll(other: CourseSet): this {
    return this.#combine('or', other)
  }

  /** Keeps what another set has, too. */
  keep(other: CourseSet): this {
    return this.#combine('and', other)
  }

  /** Leaves out what another set has. */
  leaveOut(other: CourseSet): this {
    return this.#combine('without', other)
  }

  #combine(how: 'and' | 'or' | 'without', other: CourseSet): this {
    this.#memory.combine(how, this.first, other.first)
    this.#size = null
    return this
  }

  /** @param from the number of 32 places to which the first one of `bits` is added. */
  addBits(bits: Uint32Array, from: number): this {
    this.#memory.combine('or', this.first + from, this.#memory.lay(bits), bits.length)
    this.#size = null
    return this
  }

  /** @param steps as stored sets have them. @param from as with `addBits`. */
  addSteps(steps: Uint8Array, from: number): this {
    this.#memory.addSteps(this.first + from, steps)
    this.#size = null
    return this
  }

  /** In the same pool. */
  copy(): CourseSet {
    const twin = new CourseSet(this.#pool)
    this.#memory.numbers.copyWithin(twin.first, this.first, this.first + this.#memory.length)
    twin.#size = this.#size
    return twin
  }

  isEmpty(): boolean {
    return this.size === 0
  }

  get size(): number {
    this.#size ??= this.countCommon(this)
    return this.#size
  }

  countCommon(other: CourseSet): number {
    return this.#memory.countBoth(this.first, other.first)
  }

  /** How many of `bits` it has. @param from the number of 32 places that the first one of them goes with. */
  countBits(bits: Uint32Array, from: number): number {
    return this.#memory.countBoth(this.first + from, this.#memory.lay(bits), bits.length)
  }

  /** How many of the places that the steps lead to it has. */
  countSteps(steps: Uint8Array, from: number): number {
    return this.#memory.countSteps(this.first + from, steps)
  }

  /** Its places in ascending order. */
  list(): Int32Array {
    const places = new Int32Array(this.size)
    const { bits } = this
    let found = 0
    for (let index = 0; index < bits.length; index++) {
      for (let rest = bits[index] as number; rest !== 0; rest &= rest - 1) {
        places[found++] = (index << 5) + 31 - Math.clz32(rest & -rest)
      }
    }
    return places
  }
}
