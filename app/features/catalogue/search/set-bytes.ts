import { type CourseSet, countCommonBits } from './course-set'

/** The first byte of a stored set says how the rest is to be read: 0 as steps, 1 as bits. */
const asBits = 1

/**
 * Takes the places of a set in ascending order and gives its bytes: the steps from one place to the next in seven bits a
 * byte, or a bit for each place where that is shorter.
 */
export class SetWriter {
  #bytes = new Uint8Array(8)
  #length = 1
  #last = -1
  count = 0

  /** Again with the same place is harmless. */
  add(place: number): void {
    if (place === this.#last) return
    let step = place - this.#last - 1
    if (this.#length + 5 > this.#bytes.length) this.#grow()
    for (; step > 127; step >>>= 7) this.#bytes[this.#length++] = (step & 127) | 128
    this.#bytes[this.#length++] = step
    this.#last = place
    this.count++
  }

  /** @param places how many there are in the segment. */
  finish(places: number): Buffer {
    const steps = Buffer.from(this.#bytes.buffer, 0, this.#length)
    if (steps.length <= 1 + Math.ceil(places / 8)) return steps
    const bits = Buffer.alloc(1 + ((places + 31) >>> 5) * 4)
    bits[0] = asBits
    forEachStep(steps, (place) => {
      bits[1 + (place >>> 3)] = (bits[1 + (place >>> 3)] ?? 0) | (1 << (place & 7))
    })
    return bits
  }

  /** Calls back with each place. */
  visit(see: (place: number) => void): void {
    forEachStep(this.#bytes.subarray(0, this.#length), see)
  }

  #grow(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2)
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }
}

function forEachStep(bytes: Uint8Array, visit: (place: number) => void): void {
  let place = -1
  for (let at = 1; at < bytes.length; ) {
    let byte = bytes[at++] as number
    let step = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number
      step |= (byte & 127) << shift
    }
    place += step + 1
    visit(place)
  }
}

/** A stored set in memory: steps as its bytes say, or a bit for each place. */
export type KeptSet = Uint8Array | Uint32Array

/** From here on bits, of which a set has one for every place, are quicker to count than steps. */
const bytesOfManySteps = 1 / 64

/** @param places how many there are in the segment. */
export function keepStored(stored: Uint8Array, places: number): KeptSet {
  // A copy: what a connection reads is a part of something larger.
  if (stored[0] === asBits) return new Uint32Array(new Uint8Array(stored.subarray(1)).buffer)
  if (stored.length < places * bytesOfManySteps) return new Uint8Array(stored)
  const bits = new Uint32Array((places + 31) >>> 5)
  forEachStep(stored, (place) => {
    bits[place >>> 5] = (bits[place >>> 5] as number) | (1 << (place & 31))
  })
  return bits
}

/** Adds a kept set to `set`. @param offset first place of the segment that the set belongs to, a multiple of 32. */
export function addKept(set: CourseSet, kept: KeptSet, offset: number): void {
  if (kept instanceof Uint8Array) forEachStep(kept, (place) => set.add(place + offset))
  else set.addBits(kept, offset >>> 5)
}

/** How many courses of `set` a kept set has. */
export function countKept({ bits }: CourseSet, kept: KeptSet, offset: number): number {
  if (kept instanceof Uint32Array) return countCommonBits(bits, kept, offset >>> 5)
  let total = 0
  forEachStep(kept, (place) => {
    const at = place + offset
    total += ((bits[at >>> 5] as number) >>> (at & 31)) & 1
  })
  return total
}

/** How many of a few places a kept set has, where it has so many that bits are kept. */
export function countAmong(places: Int32Array, bits: Uint32Array, offset: number): number {
  let total = 0
  for (let index = 0; index < places.length; index++) {
    const at = (places[index] as number) - offset
    if (at >= 0) total += ((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1
  }
  return total
}
