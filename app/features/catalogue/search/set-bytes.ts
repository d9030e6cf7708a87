import type { CourseSet } from './course-set'

/** The first byte of a stored set says how the rest is to be read. */
const asSteps = 0
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

/** Adds a stored set to `set`. @param offset first place of the segment that the set belongs to, a multiple of 32. */
export function addStored(set: CourseSet, stored: Uint8Array, offset: number): void {
  const bits = set.bits
  if (stored[0] === asSteps) {
    forEachStep(stored, (place) => {
      const at = place + offset
      bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
    })
    return
  }
  const view = new DataView(stored.buffer, stored.byteOffset + 1, stored.byteLength - 1)
  const first = offset >>> 5
  for (let index = 0; index * 4 < view.byteLength; index++) {
    bits[first + index] = (bits[first + index] as number) | view.getUint32(index * 4, true)
  }
}
