import { type BitLoops, bytesOfPage, bytesOfStep, makeBitLoops } from './bit-loops'

const mostKeptBytes = 8 * 1024 * 1024
const numbersOfStep = bytesOfStep / 4

/**
 * The memory of sets of the same places: a row of slots, first those that last. The very first one is for what is only
 * looked at. Where a set begins and how long it is is counted in 32-bit numbers.
 */
export class SetMemory {
  /** How many numbers a set has, up to a whole step. */
  readonly length: number
  readonly #slotLength: number
  /** Those of a pool that nobody knows any more. */
  readonly #lost = new FinalizationRegistry<number[]>((slots) => this.give(slots))
  #loops: BitLoops = makeBitLoops()
  #numbers = new Uint32Array(this.#loops.memory.buffer)
  #free: number[] = []
  #slots = 0
  #lasting = 0

  /** @param places how many there are in the index. */
  constructor(readonly places: number) {
    this.length = Math.ceil((places + 1) / 8 / bytesOfStep) * numbersOfStep
    // The last step through a segment that begins in the middle of a set ends behind the set.
    this.#slotLength = this.length + numbersOfStep
    this.takeLasting()
  }

  /** All of it; another object each time that the memory grows, which `take` may do. */
  get numbers(): Uint32Array {
    return this.#numbers
  }

  /** Where a set begins that lasts as long as the memory; only before any other is taken. */
  takeLasting(): number {
    if (this.#slots > this.#lasting) throw new RangeError('Sets that last come first.')
    this.#lasting += 1
    return this.#add()
  }

  /** @param slots takes the place where the new set begins. Its bits are those of an earlier one. */
  take(slots: number[]): number {
    const first = this.#free.pop() ?? this.#add()
    slots.push(first)
    return first
  }

  /** From now on nobody may look at these. What many answers needed at the same time is not kept for later ones. */
  give(slots: number[]): void {
    this.#free.push(...slots.splice(0))
    const others = this.#slots - this.#lasting
    if (this.#free.length < others || others * this.#slotLength * 4 <= mostKeptBytes) return
    const lasting = this.#numbers.subarray(0, this.#lasting * this.#slotLength)
    this.#loops = makeBitLoops()
    this.#free = []
    for (this.#slots = 0; this.#slots < this.#lasting; ) this.#add()
    this.#numbers.set(lasting)
  }

  /** Gives all slots of an owner once nobody knows the owner any more. */
  giveLater(owner: object, slots: number[]): void {
    this.#lost.register(owner, slots)
  }

  combine(how: 'and' | 'or' | 'without', to: number, other: number, length = this.length): void {
    this.#loops[how](to * 4, to * 4, other * 4, (to + length) * 4)
  }

  countBoth(one: number, other: number, length = this.length): number {
    return this.#loops.countBoth(one * 4, other * 4, (one + length) * 4)
  }

  /** @param set where the bits begin that the steps count from. */
  countSteps(set: number, steps: Uint8Array): number {
    return steps.length === 0 ? 0 : this.#loops.countSteps(set * 4, this.#layBytes(steps), steps.length)
  }

  addSteps(set: number, steps: Uint8Array): void {
    if (steps.length > 0) this.#loops.addSteps(set * 4, this.#layBytes(steps), steps.length)
  }

  /** @returns where these bytes are until something else is laid there: at the very beginning. */
  #layBytes(bytes: Uint8Array): number {
    new Uint8Array(this.#numbers.buffer).set(bytes)
    return 0
  }

  /** @returns where these numbers are until the next call, with zeros behind them. */
  lay(numbers: Uint32Array): number {
    this.#numbers.set(numbers)
    this.#numbers.fill(0, numbers.length, numbers.length + numbersOfStep)
    return 0
  }

  #add(): number {
    const first = this.#slots * this.#slotLength
    const { memory } = this.#loops
    const missing = (first + this.#slotLength) * 4 - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / bytesOfPage))
    this.#slots += 1
    this.#numbers = new Uint32Array(memory.buffer)
    return first
  }
}
