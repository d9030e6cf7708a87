import type { Column } from './column-bytes'
import type { CourseSet } from './course-set'
import type { Ranked } from './merge-orders'

/** Numbers of 32 places each, so that most blocks of a large set have nothing that comes before what was found. */
const wordsInBlock = 32
const placesInBlock = wordsInBlock * 32

type Wanted = { from: number | null; count: number }

/** The ranks of all places in an order, which are numbers of its keys: smaller ones first. */
export class PlaceRanks {
  readonly ranks: Column
  readonly keys: Int32Array
  readonly #least: Int32Array
  readonly #greatest: Int32Array
  readonly blocks: number

  constructor({ column: ranks, keys }: Ranked) {
    this.ranks = ranks
    this.keys = keys
    this.blocks = Math.ceil(ranks.length / placesInBlock)
    this.#least = new Int32Array(this.blocks)
    this.#greatest = new Int32Array(this.blocks)
    for (let block = 0; block < this.blocks; block++) {
      let [least, greatest] = [Number.POSITIVE_INFINITY, 0]
      const end = Math.min((block + 1) * placesInBlock, ranks.length)
      for (let place = block * placesInBlock; place < end; place++) {
        least = Math.min(least, ranks[place] as number)
        greatest = Math.max(greatest, ranks[place] as number)
      }
      this.#least[block] = least
      this.#greatest[block] = greatest
    }
  }

  /** The least key of a block. @param sign of the keys. */
  firstOf(block: number, sign: 1 | -1): number {
    return sign === 1 ? (this.#least[block] as number) : -(this.#greatest[block] as number)
  }

  /** The greatest key of a block. */
  lastOf(block: number, sign: 1 | -1): number {
    return -this.firstOf(block, sign === 1 ? -1 : 1)
  }
}

/** An order by ranks, or by the greatest ones first; of equal ones the smaller place comes first. */
export class PlaceOrder {
  readonly #ranks: PlaceRanks
  readonly #sign: 1 | -1

  constructor(ranks: PlaceRanks, { descending = false } = {}) {
    this.#ranks = ranks
    this.#sign = descending ? -1 : 1
  }

  /** The first places of a set, or the next ones after one of its places, in order. */
  listAfter(set: CourseSet, wanted: Wanted): number[] {
    if (set.isEmpty()) return []
    const { bits } = set
    const search = new Search(this.#ranks.ranks, this.#sign, wanted, (place, from) => place > from)
    for (let block = 0; block < this.#ranks.blocks; block++) {
      if (!search.needs(this.#ranks.firstOf(block, this.#sign), this.#ranks.lastOf(block, this.#sign))) continue
      const end = Math.min((block + 1) * wordsInBlock, bits.length)
      for (let index = block * wordsInBlock; index < end; index++) {
        for (let rest = bits[index] as number; rest !== 0; rest &= rest - 1)
          search.see((index << 5) + 31 - Math.clz32(rest & -rest))
      }
    }
    return search.found
  }

  /** The last places of a set, or those before one of its places, in order. */
  listBefore({ bits }: CourseSet, wanted: Wanted): number[] {
    const sign = this.#sign === 1 ? -1 : 1
    const search = new Search(this.#ranks.ranks, sign, wanted, (place, from) => place < from)
    for (let block = this.#ranks.blocks - 1; block >= 0; block--) {
      if (!search.needs(this.#ranks.firstOf(block, sign), this.#ranks.lastOf(block, sign))) continue
      const end = Math.min((block + 1) * wordsInBlock, bits.length)
      for (let index = end - 1; index >= block * wordsInBlock; index--) {
        for (let rest = bits[index] as number; rest !== 0; ) {
          const bit = 31 - Math.clz32(rest)
          search.see((index << 5) + bit)
          rest ^= 1 << bit
        }
      }
    }
    return search.found.reverse()
  }
}

/** Keeps the places with the smallest keys of those that it sees; of equal ones what it saw first. */
class Search {
  readonly found: number[] = []
  readonly #keys: number[] = []
  readonly #ranks: Column
  readonly #sign: 1 | -1
  readonly #wanted: Wanted
  readonly #isLater: (place: number, from: number) => boolean
  readonly #fromKey: number
  /** Of what is found, once that is enough. */
  #lastKey = Number.POSITIVE_INFINITY

  /** @param isLater whether a place comes after another one with the same rank. */
  constructor(ranks: Column, sign: 1 | -1, wanted: Wanted, isLater: (place: number, from: number) => boolean) {
    this.#ranks = ranks
    this.#sign = sign
    this.#wanted = wanted
    this.#isLater = isLater
    this.#fromKey = wanted.from === null ? Number.NEGATIVE_INFINITY : sign * (ranks[wanted.from] as number)
  }

  /** Whether places with keys from `first` to `last` may have something to be found. */
  needs(first: number, last: number): boolean {
    return this.#wanted.count > 0 && first < this.#lastKey && last >= this.#fromKey
  }

  see(place: number): void {
    const key = this.#sign * (this.#ranks[place] as number)
    if (key >= this.#lastKey || key < this.#fromKey) return
    if (key === this.#fromKey && !this.#isLater(place, this.#wanted.from as number)) return
    let at = this.found.length
    while (at > 0 && (this.#keys[at - 1] as number) > key) at--
    this.found.splice(at, 0, place)
    this.#keys.splice(at, 0, key)
    if (this.found.length > this.#wanted.count) {
      this.found.pop()
      this.#keys.pop()
    }
    if (this.found.length === this.#wanted.count) this.#lastKey = this.#keys.at(-1) as number
  }
}
