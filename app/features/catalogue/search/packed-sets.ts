import { firstOfSet } from './set-bytes'

/** Comes behind each name: no name has it, so that the order of names is that of their bytes. */
const endOfName = '\0'
const bytesOfNumber = 4

/**
 * Many sets in one piece, found by their names: how many there are and where each one begins and the last one ends, as 32-bit
 * numbers, then name and set of each, sorted by the names' bytes. What a set has lies where 32-bit numbers do.
 */
export function packSets(sets: Iterable<readonly [name: string, set: Uint8Array]>): Buffer {
  const entries = Array.from(sets, ([name, set]) => ({ name: Buffer.from(name + endOfName), set }))
  entries.sort((a, b) => a.name.compare(b.name))
  const head = new Uint32Array(entries.length + 2)
  head[0] = entries.length
  head[1] = head.byteLength
  const parts = entries.flatMap(({ name, set }, index) => {
    const begin = head[index + 1] as number
    const setBegin = beginOfSet(begin + name.length)
    head[index + 2] = setBegin + set.length
    return [name, Buffer.alloc(setBegin - begin - name.length), set]
  })
  return Buffer.concat([new Uint8Array(head.buffer), ...parts])
}

/** The first place from which what the set has lies as it should. */
function beginOfSet(from: number): number {
  return from + ((bytesOfNumber - ((from + firstOfSet) % bytesOfNumber)) % bytesOfNumber)
}

/** What `packSets` made. */
export class PackedSets {
  readonly #bytes: Buffer
  readonly #count: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes.byteOffset % bytesOfNumber === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
    this.#count = bytes.readUInt32LE(0)
  }

  /** A look at it: it must not change. */
  find(name: string): Uint8Array | null {
    const key = Buffer.from(name + endOfName)
    let [low, high] = [0, this.#count - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const [begin, end] = [this.#beginOf(middle), this.#beginOf(middle + 1)]
      const order = this.#bytes.compare(key, 0, key.length, begin, Math.min(begin + key.length, end))
      if (order === 0) return this.#bytes.subarray(beginOfSet(begin + key.length), end)
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return null
  }

  #beginOf(index: number): number {
    return this.#bytes.readUInt32LE((index + 1) * bytesOfNumber)
  }
}
