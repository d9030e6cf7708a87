import { describe, expect, it } from 'vitest'
import { listPossibleNumbers } from './typed-number'

describe('a typed number', () => {
  it('reads numbers as people type them', () => {
    const typed = [
      '1,234',
      '1,234.5',
      '1 234',
      '−3',
      '.5',
      '1e3',
      '12,5',
      '0,800',
      '4.5 : 1',
      "1'000",
      '1,2,3',
      'e',
      '-',
      '1,234,567.25',
      '+12,345',
      '1,2345',
      'x1,234',
      '1,234x',
      'x3,5',
      '3,5x',
      '-3,5',
      '12 apples',
      'about 12',
      '1.25e-10',
      '.25',
      '7.',
    ]

    expect(typed.map((value) => listPossibleNumbers(value, ':1')[0] ?? null)).toEqual([
      1234,
      1234.5,
      1234,
      -3,
      0.5,
      1000,
      12.5,
      0.8,
      4.5,
      1000,
      null,
      null,
      null,
      1234567.25,
      12345,
      1.2345,
      null,
      null,
      null,
      null,
      -3.5,
      null,
      null,
      1.25e-10,
      0.25,
      7,
    ])
  })

  it.each([
    ['—3', [-3]],
    ['–3', [-3]],
    ['\u20663\u2069', [3]],
    ['\u200f-3\u200b', [-3]],
    ['10³', [1000]],
    ['2.5×10³', [2500]],
    ['5·10⁻²', [0.05]],
    ['10^3', [1000]],
    ['2³ kg', [8]],
    ['3²4', []],
    ['½', [0.5]],
    ['1½', [1.5]],
    ['1 1/2', [1.5]],
    ['-2 3/4', [-2.75]],
    ['1 234/5', [246.8]],
    ['3/4', [0.75]],
    ['1/0', []],
    ['1.234,5', [1234.5]],
    ['1.234.567', [1_234_567]],
    ['1 234,5', [1234.5]],
    ['1’234.5', [1234.5]],
    ['12,34,567.8', [1_234_567.8]],
    ['1,234', [1234, 1.234]],
    ['1.234', [1.234, 1234]],
    ['0,800', [0.8]],
    ['٣٫٥', [3.5]],
    ['१२', [12]],
    ['−۱۲', [-12]],
    ['𝟙𝟚', [12]],
    ['12 apples', []],
  ])('reads %j as %j', (typed, values) => {
    expect(listPossibleNumbers(typed, 'kg')).toEqual(values)
  })

  it('reads a number with its unit, however the power of the unit is typed', () => {
    expect(['5 m²', '5 m2', '5 m^2', '5'].map((typed) => listPossibleNumbers(typed, 'm²'))).toEqual(
      [[5], [5], [5], [5]],
    )
  })
})
