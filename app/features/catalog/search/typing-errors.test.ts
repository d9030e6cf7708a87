import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countErrors, getAllowedErrors } from './corrections.server'

describe('typing errors', () => {
  it.each([
    ['pyton', 'python', 1],
    ['pyhton', 'python', 1],
    ['ptyhno', 'python', 2],
    ['javascrpt', 'javascript', 1],
    ['fotography', 'photography', 2],
    ['python', 'python', 0],
    ['abc', 'xyz', 3],
  ])('between %s and %s are %i', (typed, meant, errors) => {
    expect(countErrors(typed, meant, 2)).toBe(Math.min(errors, 3))
  })

  it('are allowed by length, and never in numbers', () => {
    expect(
      ['web', 'java', 'writing', 'business', 'html5', '12345678'].map(getAllowedErrors),
    ).toEqual([0, 1, 1, 2, 0, 0])
  })

  const anyWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '😀'), maxLength: 9 })

  it('are as many in both directions, none only between the same words', () => {
    fc.assert(
      fc.property(anyWord, anyWord, fc.nat(9), (left, right, most) => {
        expect(countErrors(left, right, most)).toBe(countErrors(right, left, most))
        expect(countErrors(left, right, most) === 0).toBe(left === right)
      }),
    )
  })

  it('are the same whatever the limit', () => {
    fc.assert(
      fc.property(anyWord, anyWord, fc.nat(9), (left, right, most) => {
        expect(countErrors(left, right, most)).toBe(
          Math.min(countErrors(left, right, 20), most + 1),
        )
      }),
    )
  })

  it('count at most what was done to a word', () => {
    fc.assert(
      fc.property(
        anyWord,
        fc.nat(8),
        fc.constantFrom('drop', 'double', 'swap'),
        (meant, at, change) => {
          const letters = [...meant]
          if (change === 'swap') {
            letters.splice(at, 2, ...letters.slice(at, at + 2).reverse())
          } else {
            letters.splice(at, 1, ...(change === 'double' ? ['a', 'b'] : []))
          }

          expect(countErrors(letters.join(''), meant, 2)).toBeLessThanOrEqual(
            change === 'double' ? 2 : 1,
          )
        },
      ),
    )
  })
})
