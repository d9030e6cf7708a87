import type { PlaceOrder } from './catalogue-order'

/** The courses of a segment in an order: their places from 0, and the keys that ordered them, smaller ones first. */
export type SegmentOrder = { offset: number; places: Int32Array; keys: Int32Array }

/**
 * One order of the courses of all segments; of equal ones the earlier segment's come first.
 *
 * @param places of the whole index.
 */
export function mergeOrders(segments: readonly SegmentOrder[], places: number): PlaceOrder {
  const all = new Int32Array(segments.reduce((total, segment) => total + segment.places.length, 0))
  const next = segments.map(() => 0)
  for (let rank = 0; rank < all.length; rank++) {
    let first = -1
    let least = Number.POSITIVE_INFINITY
    for (let index = 0; index < segments.length; index++) {
      const key = segments[index]?.keys[next[index] as number]
      if (key === undefined || key >= least) continue
      first = index
      least = key
    }
    const { offset, places: own } = segments[first] as SegmentOrder
    all[rank] = offset + (own[next[first] as number] as number)
    next[first] = (next[first] as number) + 1
  }
  const ranks = new Int32Array(places)
  for (let rank = 0; rank < all.length; rank++) ranks[all[rank] as number] = rank
  return { places: all, ranks }
}
