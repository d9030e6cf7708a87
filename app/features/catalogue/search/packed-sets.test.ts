import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackedSets, packSets } from './packed-sets'

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
