import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pickPage } from './catalogue-order'
import { readColumn, writeColumn } from './column-bytes'
import { mergeOrders } from './merge-orders'
import { PlaceOrder, PlaceRanks } from './place-order'
import { SetMemory } from './set-memory'
import { SetPool } from './set-pool'

/** Segments of keys, smaller ones first, as an index has them. */
const keys = fc.array(fc.nat(9), { maxLength: 120 })

function orderOf(segments: readonly (readonly number[])[], descending = false) {
  let offset = 0
  const all: { key: number; place: number }[] = []
  const parts = segments.map((own) => {
    const sorted = Int32Array.from(new Set(own)).sort()
    for (const [index, key] of own.entries()) all.push({ key: descending ? -key : key, place: offset + index })
    const column = readColumn(writeColumn(own.map((key) => sorted.indexOf(key))), own.length)
    const part = { offset, column, keys: sorted }
    offset = (offset + own.length + 31) & ~31
    return part
  })
  const order = new PlaceOrder(new PlaceRanks(mergeOrders(parts, offset)), { descending })
  return {
    order,
    size: offset,
    places: all.sort((a, b) => a.key - b.key || a.place - b.place).map(({ place }) => place),
  }
}

it('the first of many places are found, and those around one of them, wherever they stand', () => {
  const keysOfMany = fc.infiniteStream(fc.nat(300)).map((stream) => [...stream.take(5_000)])
  fc.assert(
    fc.property(keysOfMany, fc.boolean(), fc.nat(4_000), fc.nat(30), (many, descending, at, count) => {
      const { order, size, places } = orderOf([[7, 9], many], descending)
      const set = new SetPool(new SetMemory(size)).make()
      const members = places.filter((place) => place % 7 !== 3)
      for (const place of members) set.add(place)
      const from = members[at] as number
      expect(order.listAfter(set, { from: null, count })).toEqual(members.slice(0, count))
      expect(order.listAfter(set, { from, count })).toEqual(members.slice(at + 1, at + 1 + count))
      expect(order.listBefore(set, { from, count })).toEqual(members.slice(Math.max(0, at - count), at))
      expect(order.listBefore(set, { from: null, count })).toEqual(members.slice(members.length - count))
    }),
    { numRuns: 30 },
  )
})

it.each([200, 60_000, 70_000])('numbers up to %i come back from their bytes', (most) => {
  const numbers = [0, 1, most]
  const stored = writeColumn(numbers)
  expect(stored.length).toBe(numbers.length * (most < 256 ? 1 : most < 65_536 ? 2 : 4))
  expect([...readColumn(stored, numbers.length)]).toEqual(numbers)
})

it('pages go through all tiers once, there and back, however many courses there are', () => {
  fc.assert(
    fc.property(
      keys,
      keys,
      fc.boolean(),
      fc.array(fc.nat(3), { minLength: 300, maxLength: 300 }),
      fc.integer({ min: 1, max: 7 }),
      (first, second, descending, tierOf, length) => {
        const { order, size, places } = orderOf([first, second], descending)
        const pool = new SetPool(new SetMemory(size))
        const tiers = [0, 1, 2].map(() => pool.make())
        for (const place of places) tiers[tierOf[place] ?? 3]?.add(place)
        const expected = tiers.flatMap((tier) => [...places].filter((place) => tier.has(place)))
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
          if (before === expected[0]) break
          const page = pageAt(null, before)
          back.unshift(...page.places)
          before = page.hasPrevious ? page.places[0] : undefined
        }
        expect(back).toEqual(expected.slice(0, Math.max(0, expected.length - 1)))
      },
    ),
    { numRuns: 60 },
  )
})

it('behind the last course, and before the first one, the list begins anew', () => {
  const { order, size } = orderOf([[3, 1, 2]])
  const tier = new SetPool(new SetMemory(size)).make()
  for (const place of [0, 1, 2]) tier.add(place)
  const whole = { places: [1, 2, 0], hasPrevious: false, hasNext: false }
  expect(pickPage([tier], order, { after: 0, before: null, length: 3 })).toEqual(whole)
  expect(pickPage([tier], order, { after: null, before: 1, length: 3 })).toEqual(whole)
})

it('a course that is not in the list leads to its first page', () => {
  const { order, size } = orderOf([[3, 1, 2]])
  const tier = new SetPool(new SetMemory(size)).make()
  tier.add(0)
  expect(pickPage([tier], order, { after: 1, before: null, length: 2 })).toEqual({
    places: [0],
    hasPrevious: false,
    hasNext: false,
  })
})
