import type { CourseSet } from './course-set'

/** All places of the index in an order, and the rank of each place in it. */
export type PlaceOrder = { places: Int32Array; ranks: Int32Array }

type Wanted = { rank: number; count: number }

/** The next places of a set after a rank, in order. */
function takeAfter(set: CourseSet, { places, ranks }: PlaceOrder, { rank, count }: Wanted): number[] {
  const size = set.size
  if (isFew(size, places.length)) {
    const later = set.list().filter((place) => (ranks[place] as number) > rank)
    return [...later.sort((a, b) => (ranks[a] as number) - (ranks[b] as number)).subarray(0, count)]
  }
  const found: number[] = []
  for (let at = rank + 1; at < places.length && found.length < count; at++) {
    const place = places[at] as number
    if (set.has(place)) found.push(place)
  }
  return found
}

/** The last places of a set before a rank, in order. */
function takeBefore(set: CourseSet, { places, ranks }: PlaceOrder, { rank, count }: Wanted): number[] {
  const size = set.size
  if (isFew(size, places.length)) {
    const earlier = set.list().filter((place) => (ranks[place] as number) < rank)
    const sorted = earlier.sort((a, b) => (ranks[a] as number) - (ranks[b] as number))
    return [...sorted.subarray(Math.max(0, sorted.length - count))]
  }
  const found: number[] = []
  for (let at = rank - 1; at >= 0 && found.length < count; at--) {
    const place = places[at] as number
    if (set.has(place)) found.unshift(place)
  }
  return found
}

/** Whether sorting a set is less work than walking along the order until a page of it is found. */
function isFew(size: number, all: number): boolean {
  return size * size < 32 * all
}

type Cursor = { after: number | null; before: number | null; length: number }

/**
 * A page of a list that has its tiers one after the other, each in the same order.
 *
 * @param tiers no two of them have a place in common.
 * @param cursor places that the page follows or precedes; one that is in no tier counts as none.
 */
export function pickPage(
  tiers: readonly CourseSet[],
  order: PlaceOrder,
  { after, before, length }: Cursor,
): { places: number[]; hasPrevious: boolean; hasNext: boolean } {
  const tierOf = (place: number | null) => (place === null ? -1 : tiers.findIndex((tier) => tier.has(place)))
  if (before !== null && tierOf(before) !== -1) {
    const found = listBefore(tiers, order, before, length + 1)
    return { places: found.slice(-length), hasPrevious: found.length > length, hasNext: true }
  }
  const from = tierOf(after) === -1 ? null : after
  const found = listAfter(tiers, order, from, length + 1)
  return { places: found.slice(0, length), hasPrevious: from !== null, hasNext: found.length > length }
}

function listAfter(tiers: readonly CourseSet[], order: PlaceOrder, place: number | null, count: number): number[] {
  const first = place === null ? 0 : tiers.findIndex((tier) => tier.has(place))
  const found: number[] = []
  for (let tier = first; tier < tiers.length && found.length < count; tier++) {
    const rank = tier === first && place !== null ? (order.ranks[place] as number) : -1
    found.push(...takeAfter(tiers[tier] as CourseSet, order, { rank, count: count - found.length }))
  }
  return found
}

function listBefore(tiers: readonly CourseSet[], order: PlaceOrder, place: number, count: number): number[] {
  const last = tiers.findIndex((tier) => tier.has(place))
  const found: number[] = []
  for (let tier = last; tier >= 0 && found.length < count; tier--) {
    const rank = tier === last ? (order.ranks[place] as number) : order.places.length
    found.unshift(...takeBefore(tiers[tier] as CourseSet, order, { rank, count: count - found.length }))
  }
  return found
}
