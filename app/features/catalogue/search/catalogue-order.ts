import type { CourseSet } from './course-set'
import type { PlaceOrder } from './place-order'

type Cursor = { after: number | null; before: number | null; length: number }

/**
 * A page of a list that has its tiers one after the other, each in the same order.
 *
 * @param tiers no two of them have a place in common.
 * @param cursor places that the page follows or precedes; where that leaves none, and where the place is in no tier, the list
 *   begins anew.
 */
export function pickPage(
  tiers: readonly CourseSet[],
  order: PlaceOrder,
  { after, before, length }: Cursor,
): { places: number[]; hasPrevious: boolean; hasNext: boolean } {
  const tierOf = (place: number | null) => (place === null ? -1 : tiers.findIndex((tier) => tier.has(place)))
  if (before !== null && tierOf(before) !== -1) {
    const found = listBefore(tiers, order, before, length + 1)
    if (found.length > 0) return { places: found.slice(-length), hasPrevious: found.length > length, hasNext: true }
  }
  const following = tierOf(after) === -1 ? [] : listAfter(tiers, order, after, length + 1)
  const found = following.length > 0 ? following : listAfter(tiers, order, null, length + 1)
  return { places: found.slice(0, length), hasPrevious: following.length > 0, hasNext: found.length > length }
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
