import type { CourseSet } from './course-set'
import type { PlaceOrder } from './place-order'

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
  for (const [index, tier] of tiers.slice(first).entries()) {
    if (found.length === count) break
    found.push(...order.listAfter(tier, { from: index === 0 ? place : null, count: count - found.length }))
  }
  return found
}

function listBefore(tiers: readonly CourseSet[], order: PlaceOrder, place: number, count: number): number[] {
  const last = tiers.findIndex((tier) => tier.has(place))
  const found: number[] = []
  for (let tier = last; tier >= 0 && found.length < count; tier--) {
    const wanted = { from: tier === last ? place : null, count: count - found.length }
    found.unshift(...order.listBefore(tiers[tier] as CourseSet, wanted))
  }
  return found
}
