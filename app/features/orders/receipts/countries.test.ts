import { expect, it } from 'vitest'
import { findCountry, formatCountry, listCountries } from './countries'

it.each([
  ['Germany', 'DE'],
  ['de', 'DE'],
  ['UK', 'GB'],
  ['cote d’ivoire', 'CI'],
  ['turkiye', 'TR'],
])('finds a country by ‘%s’', (text, code) => {
  expect(findCountry(text)).toBe(code)
})

it.each(['', 'D', 'EU', 'ZZ', 'Atlantis', '*', 'DE=19'])('finds no country by ‘%s’', (text) => {
  expect(findCountry(text)).toBeNull()
})

it('lists each country once, ordered by name, and finds it by its name', () => {
  const codes = listCountries()

  expect(codes.slice(0, 2)).toEqual(['AF', 'AX'])
  expect(new Set(codes.map(formatCountry)).size).toBe(codes.length)
  expect(codes.map((code) => findCountry(formatCountry(code)))).toEqual(codes)
})
