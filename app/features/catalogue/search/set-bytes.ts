import type { CourseSet } from './course-set'
import type { SetPool } from './set-pool'

/** The first byte of a stored set says how the rest is to be read: 0 as steps, 1 as bits. */
const asBits = 1
/** Where what it has begins. */
export const firstOfSet = 1

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
    for (const place of readSteps(steps)) bits[1 + (place >>> 3)] = (bits[1 + (place >>> 3)] ?? 0) | (1 << (place & 7))
    return bits
  }

  /** Calls back with each place. */
  visit(see: (place: number) => void): void {
    for (const place of readSteps(this.#bytes.subarray(0, this.#length)).slice()) see(place)
  }

  #grow(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2)
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }
}

/** For all sets: a large array for each one that is read would keep the garbage collector busy. */
let scratch = new Int32Array(1024)

/** The places of stored steps, until the next call. A loop over them is several times faster than a call for each. */
function readSteps(bytes: Uint8Array): Int32Array {
  if (scratch.length < bytes.length) scratch = new Int32Array(bytes.length * 2)
  let found = 0
  let place = -1
  for (let at = 1; at < bytes.length; ) {
    let byte = bytes[at++] as number
    let step = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number
      step |= (byte & 127) << shift
    }
    place += step + 1
    scratch[found++] = place
  }
  return scratch.subarray(0, found)
}

/** A stored set in memory: steps as its bytes say, or a bit for each place. */
export type KeptSet = Uint8Array | Uint32Array

/** From here on bits, of which a set has one for every place, are so much quicker to count that they are worth their memory. */
const bytesOfManySteps = 1 / 32

/** @param places how many there are in the segment. */
export function keepStored(stored: Uint8Array, places: number): KeptSet {
  // A copy: what a connection reads is a part of something larger.
  if (stored[0] === asBits) return new Uint32Array(new Uint8Array(stored.subarray(1)).buffer)
  if (stored.length < places * bytesOfManySteps) return new Uint8Array(stored)
  const bits = new Uint32Array((places + 31) >>> 5)
  for (const place of readSteps(stored)) bits[place >>> 5] = (bits[place >>> 5] as number) | (1 << (place & 31))
  return bits
}

/** A set without courses. */
export const keptNothing = new Uint8Array(1)

/** A look at a stored set that `PackedSets` found, however many steps it has. */
export function lookAtStored(stored: Uint8Array): KeptSet {
  if (stored[0] !== asBits) return stored
  const { buffer, byteOffset, length } = stored
  return new Uint32Array(buffer, byteOffset + firstOfSet, (length - firstOfSet) / 4)
}

/** A set of the whole index as it is kept; `unpack` gives it back. */
export function keepSet(set: CourseSet): KeptSet {
  const { bits } = set
  if (set.size > bits.length) return bits.slice()
  const writer = new SetWriter()
  for (const place of set.list()) writer.add(place)
  return writer.finish(bits.length * 32)
}

/** A set of its own of one that `keepSet` made. */
export function unpack(kept: KeptSet, pool: SetPool): CourseSet {
  return kept instanceof Uint32Array ? pool.makeOf(kept) : pool.make().addSteps(stepsOf(kept), 0)
}

/** Adds a kept set to `set`. @param offset first place of the segment that the set belongs to, a multiple of 32. */
export function addKept(set: CourseSet, kept: KeptSet, offset: number): void {
  if (kept instanceof Uint32Array) set.addBits(kept, offset >>> 5)
  else set.addSteps(stepsOf(kept), offset >>> 5)
}

/** How many courses of `set` a kept set has. */
export function countKept(set: CourseSet, kept: KeptSet, offset: number): number {
  return kept instanceof Uint32Array ? set.countBits(kept, offset >>> 5) : set.countSteps(stepsOf(kept), offset >>> 5)
}

const stepsOf = (kept: Uint8Array) => kept.subarray(firstOfSet)
