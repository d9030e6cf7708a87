import { type Column, makeColumn } from './column-bytes'

/** Courses in an order: for each place from 0 the number of its key, and the keys, ascending. */
export type Ranked = { column: Column; keys: Int32Array }

/**
 * The rank of each course of all segments in one order; equal ones have the same.
 *
 * @param places of the whole index.
 */
export function mergeOrders(segments: readonly (Ranked & { offset: number })[], places: number): Ranked {
  const keys = mergeKeys(segments)
  const ranks = makeColumn(places, keys.length)
  for (const { offset, column, keys: own } of segments) {
    let rank = 0
    const ownRanks = own.map((key) => {
      while (keys[rank] !== key) rank++
      return rank
    })
    for (let place = 0; place < column.length; place++)
      ranks[offset + place] = ownRanks[column[place] as number] as number
  }
  return { column: ranks, keys }
}

/** The keys of all segments, ascending, each once. */
function mergeKeys(segments: readonly Ranked[]): Int32Array {
  const all = new Int32Array(segments.reduce((total, { keys }) => total + keys.length, 0))
  let length = 0
  for (const { keys } of segments) {
    all.set(keys, length)
    length += keys.length
  }
  return all.sort().filter((key, index) => index === 0 || key !== all[index - 1])
}
