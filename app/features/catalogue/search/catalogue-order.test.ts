import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pickPage } from './catalogue-order'
import { CourseSet } from './course-set'
import { mergeOrders } from './merge-orders'

/** Segments of keys, smaller ones first, as an index has them. */
const keys = fc.array(fc.nat(9), { maxLength: 120 })

function orderOf(segments: readonly (readonly number[])[]) {
  let offset = 0
  const parts = segments.map((own) => {
    const places = Int32Array.from(own.keys()).sort((a, b) => (own[a] ?? 0) - (own[b] ?? 0) || a - b)
    const part = { offset, places, keys: places.map((place) => own[place] ?? 0) }
    offset = (offset + own.length + 31) & ~31
    return part
  })
  return { order: mergeOrders(parts, offset), size: offset, parts }
}

it('segments merge into one order of all their courses', () => {
  fc.assert(
    fc.property(keys, keys, (first, second) => {
      const { order, parts } = orderOf([first, second])
      const all = parts.flatMap(({ offset }, segment) =>
        (segment === 0 ? first : second).map((key, index) => ({ key, place: offset + index })),
      )
      const sorted = all.sort((a, b) => a.key - b.key || a.place - b.place).map(({ place }) => place)
      expect([...order.places]).toEqual(sorted)
      for (const [rank, place] of sorted.entries()) expect(order.ranks[place]).toBe(rank)
    }),
  )
})

it('pages go through all tiers once, there and back, however many courses there are', () => {
  fc.assert(
    fc.property(
      keys,
      keys,
      fc.array(fc.nat(3), { minLength: 300, maxLength: 300 }),
      fc.integer({ min: 1, max: 7 }),
      (first, second, tierOf, length) => {
        const { order, size } = orderOf([first, second])
        const tiers = [0, 1, 2].map(() => new CourseSet(size))
        for (const place of order.places) tiers[tierOf[place] ?? 3]?.add(place)
        const expected = tiers.flatMap((tier) => [...order.places].filter((place) => tier.has(place)))
        const pageAt = (after: number | null, before: number | null) =>
          pickPage(tiers, order, { after, before, length })

        const seen: number[] = []
        for (let page = pageAt(null, null); ; page = pageAt(seen.at(-1) ?? null, null)) {
          expect(page.hasPrevious).toBe(seen.length > 0)
          seen.push(...page.places)
          expect(page.hasNext).toBe(seen.length < expected.length)
          if (!page.hasNext) break
        }
        expect(seen).toEqual(expected)

        const back: number[] = []
        for (let before = expected.at(-1); before !== undefined; ) {
          const page = pageAt(null, before)
          if (page.places.length === 0) break
          back.unshift(...page.places)
          before = page.hasPrevious ? page.places[0] : undefined
        }
        expect(back).toEqual(expected.slice(0, Math.max(0, expected.length - 1)))
      },
    ),
    { numRuns: 60 },
  )
})

it('a course that is not in the list leads to its first page', () => {
  const { order, size } = orderOf([[3, 1, 2]])
  const tier = new CourseSet(size)
  tier.add(0)
  expect(pickPage([tier], order, { after: 1, before: null, length: 2 })).toEqual({
    places: [0],
    hasPrevious: false,
    hasNext: false,
  })
})
