import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedSets, packSets } from './packed-sets'
import { addKept, lookAtStored, SetWriter } from './set-bytes'
import { SetMemory } from './set-memory'
import { SetPool } from './set-pool'

const names = fc.string({ unit: 'binary' }).filter((name) => !name.includes('\0'))

describe('sets in one piece', () => {
  it('are found by their names, and no others', () => {
    const sets = fc.uniqueArray(fc.tuple(names, fc.uint8Array()), { selector: ([name]) => name })
    fc.assert(
      fc.property(sets, names, (list, other) => {
        const packed = new PackedSets(packSets(list))
        for (const [name, set] of list) expect([...(packed.find(name) ?? [])]).toEqual([...set])
        const known = list.find(([name]) => name === other)
        expect(packed.find(other) === null).toBe(known === undefined)
      }),
    )
  })

  it('are looked at where they lie, few courses or many, and wherever the piece lies', () => {
    const places = 1_000
    const members = fc.uniqueArray(fc.nat(places - 1))
    const sets = fc.uniqueArray(fc.tuple(names, members), { selector: ([name]) => name })
    fc.assert(
      fc.property(sets, fc.nat(3), (list, offset) => {
        const pool = new SetPool(new SetMemory(places))
        const stored = list.map(([name, members]) => {
          const writer = new SetWriter()
          for (const place of members.toSorted((a, b) => a - b)) writer.add(place)
          return [name, writer.finish(places)] as const
        })
        const piece = packSets(stored)
        const moved = Buffer.concat([Buffer.alloc(offset), piece]).subarray(offset)
        const packed = new PackedSets(moved)
        for (const [name, members] of list) {
          const set = pool.make()
          addKept(set, lookAtStored(packed.find(name) ?? new Uint8Array(1)), 0)
          expect([...set.list()]).toEqual(members.toSorted((a, b) => a - b))
        }
        pool.end()
      }),
    )
  })

  it('tell names apart of which one begins with the other, and a set that looks like a name', () => {
    const packed = new PackedSets(
      packSets([
        ['Anna', new Uint8Array([0x73, 0, 1])],
        ['Annas', new Uint8Array([2])],
        ['An', new Uint8Array()],
      ]),
    )
    expect(['An', 'Ann', 'Anna', 'Annas', 'Annasx', ''].map((name) => packed.find(name)?.length ?? null)).toEqual([
      0,
      null,
      3,
      1,
      null,
      null,
    ])
  })
})
