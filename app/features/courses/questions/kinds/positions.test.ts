import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyMoveCommand, moveItem } from './positions'

const order = fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 12 }).chain((items) =>
  fc.record({
    items: fc.constant(items),
    from: fc.nat(items.length - 1),
    to: fc.nat(items.length - 1),
  }),
)

describe('an ordering', () => {
  it('has a moved item at its new place, and all others in the order that they had', () => {
    fc.assert(
      fc.property(order, ({ items, from, to }) => {
        const moved = moveItem(items, from, to)
        const item = items[from]
        expect(moved.indexOf(item ?? -1)).toBe(to)
        expect(moved.filter((other) => other !== item)).toEqual(
          items.filter((other) => other !== item),
        )
      }),
    )
  })

  it.each([
    ['1:up', [20, 10, 30]],
    ['1:down', [10, 30, 20]],
    ['0:up', [10, 20, 30]],
    ['2:down', [10, 20, 30]],
    ['3:up', [10, 20, 30]],
    ['keep', [10, 20, 30]],
    ['x1:up', [10, 20, 30]],
    ['1:upwards', [10, 20, 30]],
    ['', [10, 20, 30]],
  ])('after the move %j', (move, moved) => {
    expect(applyMoveCommand([10, 20, 30], move)).toEqual(moved)
  })

  it('of more than ten items moves the eleventh, too', () => {
    const items = Array.from({ length: 12 }, (_, index) => index)
    expect(applyMoveCommand(items, '10:down').slice(-3)).toEqual([9, 11, 10])
  })
})
