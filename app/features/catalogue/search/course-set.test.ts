import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CourseSet } from './course-set'
import { addKept, countKept, keepSet, keepStored, SetWriter, unpack } from './set-bytes'
import { SetMemory } from './set-memory'
import { SetPool } from './set-pool'

const places = 2_000
/** By the first place of a segment with all places. */
const pools = new Map([0, 32, 640].map((offset) => [offset, new SetPool(new SetMemory(places + offset))]))
const members = fc.uniqueArray(fc.nat(places - 1)).map((list) => list.toSorted((a, b) => a - b))

function setOf(list: readonly number[], offset = 0): CourseSet {
  const set = pools.get(offset)?.make() as CourseSet
  for (const place of list) set.add(place)
  return set
}

describe('a set of courses', () => {
  it('combines and counts like any set', () => {
    fc.assert(
      fc.property(members, members, (left, right) => {
        const [a, b] = [new Set(left), new Set(right)]
        const sorted = (set: Set<number>) => [...set].sort((x, y) => x - y)
        expect([...setOf(left).addAll(setOf(right)).list()]).toEqual(sorted(new Set([...a, ...b])))
        expect([...setOf(left).keep(setOf(right)).list()]).toEqual(left.filter((place) => b.has(place)))
        expect([...setOf(left).leaveOut(setOf(right)).list()]).toEqual(left.filter((place) => !b.has(place)))
        expect(setOf(left).size).toBe(left.length)
        expect(setOf(left).isEmpty()).toBe(left.length === 0)
      }),
    )
  })

  it('keeps what it has while the memory grows, and a new one is empty whatever was there before', () => {
    const memory = new SetMemory(1_000_000)
    for (let turn = 0; turn < 3; turn++) {
      const pool = new SetPool(memory)
      const sets = Array.from({ length: 60 }, (_, index) => {
        const set = pool.make()
        expect(set.size).toBe(0)
        set.add(index)
        set.add(999_999 - index)
        return set
      })
      expect(sets.map((set) => [...set.list()])).toEqual(sets.map((_, index) => [index, 999_999 - index]))
      expect(sets.map((set) => [...set.copy().list()])).toEqual(sets.map((set) => [...set.list()]))
      pool.end()
    }
  })

  it('lasts if its pool does, also when the memory of many others goes', () => {
    const memory = new SetMemory(1_000_000)
    const lasting = new SetPool(memory, { lasts: true }).make()
    for (const place of [0, 31, 999_999]) lasting.add(place)
    const pool = new SetPool(memory)
    const others = Array.from({ length: 120 }, () => pool.make().addAll(lasting))
    const before = memory.numbers.length
    expect(others.map((set) => set.size)).toEqual(others.map(() => 3))
    pool.end()
    expect(memory.numbers.length).toBeLessThan(before / 10)
    expect([...lasting.list()]).toEqual([0, 31, 999_999])
    expect(new SetPool(memory).make().addAll(lasting).countCommon(lasting)).toBe(3)
    expect(() => new SetPool(memory, { lasts: true }).make()).toThrow(RangeError)
  })

  it('counts and takes stored steps of any length', () => {
    const memory = new SetMemory(1_000_000)
    const far = fc.uniqueArray(fc.nat(999_999)).map((list) => list.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(far, far, (list, others) => {
        const pool = new SetPool(memory)
        const writer = new SetWriter()
        for (const place of list) writer.add(place)
        const kept = keepStored(writer.finish(1_000_000), 1_000_000)
        const set = pool.make()
        for (const place of others) set.add(place)
        expect(countKept(set, kept, 0)).toBe(others.filter((place) => list.includes(place)).length)
        addKept(set, kept, 0)
        expect([...set.list()]).toEqual([...new Set([...list, ...others])].sort((a, b) => a - b))
        pool.end()
      }),
      { numRuns: 30 },
    )
  })

  it('comes back from its bytes, few courses or many, behind those of another segment', () => {
    fc.assert(
      fc.property(members, fc.boolean(), fc.constantFrom(0, 32, 640), (few, inverted, offset) => {
        const list = inverted
          ? Array.from({ length: places }, (_, place) => place).filter((place) => !few.includes(place))
          : few
        const writer = new SetWriter()
        for (const place of list) for (const again of [place, place]) writer.add(again)
        expect(writer.count).toBe(list.length)
        const bytes = writer.finish(places)
        expect(bytes.length).toBeLessThanOrEqual(1 + ((places + 31) >>> 5) * 4)
        const set = setOf([], offset)
        const kept = keepStored(bytes, places)
        addKept(set, kept, offset)
        expect([...set.list()]).toEqual(list.map((place) => place + offset))
        const again = unpack(keepSet(set), pools.get(offset) as SetPool)
        expect([...again.list()]).toEqual([...set.list()])
        expect(again.size).toBe(set.size)
      }),
    )
  })

  it('counts what is kept of another one', () => {
    fc.assert(
      fc.property(members, members, fc.constantFrom(0, 32), (left, right, offset) => {
        const common = left.filter((place) => right.includes(place)).length
        const set = setOf([...(offset > 0 ? [3] : []), ...left.map((each) => each + offset)], offset)
        const writer = new SetWriter()
        for (const place of right) writer.add(place)
        const kept = keepStored(writer.finish(places), places)
        expect(countKept(set, kept, offset)).toBe(common)
      }),
    )
  })

  it('of sparse places steps far', () => {
    const writer = new SetWriter()
    for (const place of [0, 127, 128, 300_000, 2_000_000_000]) writer.add(place)
    const seen: number[] = []
    writer.visit((place) => {
      seen.push(place)
    })
    expect(seen).toEqual([0, 127, 128, 300_000, 2_000_000_000])
  })
})
