import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { accountLimits } from '../account-limits'
import { mayBeCut, socialNames } from './social-names'

it.each([
  ['Maya Okonkwo', 'Maya', 'Okonkwo'],
  ['Gabriel José García Márquez', 'Gabriel', 'José García Márquez'],
  ['  Björk  ', 'Björk', ''],
  ['', 'User', ''],
  [null, 'User', ''],
  [undefined, 'User', ''],
  ['\u3164', 'User', ''],
  ['\u202eMaya \u2066Okonkwo', 'Maya', 'Okonkwo'],
])('takes the first word of %j as first name and the rest as last name', (displayName, firstName, lastName) => {
  expect(socialNames(displayName)).toEqual({ firstName, lastName })
})

it('always gives names that can be stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (displayName) => {
      const { firstName, lastName } = socialNames(displayName)
      expect(firstName.length).toBeGreaterThan(0)
      for (const name of [firstName, lastName]) {
        expect(name.length).toBeLessThanOrEqual(accountLimits.name)
        expect(name).not.toContain('\0')
      }
    }),
    { numRuns: 50 },
  )
})

it('a name that was cut is told, whatever its letters are', () => {
  const long = fc.string({ unit: 'grapheme', minLength: accountLimits.name + 1, maxLength: 150 })
  fc.assert(
    fc.property(long, (name) => {
      const word = name.replaceAll(/\s/g, 'x').replaceAll('\0', 'x')
      expect(mayBeCut(socialNames(word).firstName)).toBe(true)
      expect(mayBeCut(socialNames(`Ada ${word}`).lastName)).toBe(true)
    }),
    { numRuns: 50 },
  )
  expect(mayBeCut('Ada')).toBe(false)
})
