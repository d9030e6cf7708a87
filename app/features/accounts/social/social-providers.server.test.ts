import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readEnvironment } from '../../../../tests/support/settings'
import { accountLimits } from '../account-rules'
import { isPossiblyTruncated, readName, splitDisplayName } from './provider-names.server'
import { listProviderConfigurations } from './social-providers.server'

const keys = {
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  FACEBOOK_CLIENT_ID: 'facebook-id',
  FACEBOOK_CLIENT_SECRET: 'facebook-secret',
}

it('has Google always ask which account', () => {
  const [google] = listProviderConfigurations(readEnvironment(keys), false)
  expect(google).toMatchObject({
    id: 'google',
    isSample: false,
    config: { prompt: 'select_account' },
  })
})

it('reaches the real providers with keys, the sample provider on loopback, and elsewhere none', () => {
  const addresses = (env: Record<string, string>, loopback: boolean) =>
    listProviderConfigurations(readEnvironment(env), loopback).map(
      ({ config }) => new URL(config.authorizationUrl ?? '').host,
    )

  expect(addresses(keys, false)).toEqual(['accounts.google.com', 'www.facebook.com'])
  expect(addresses({}, true)).toEqual(['localhost:3000', 'localhost:3000'])
  expect(addresses({}, false)).toEqual([])
})

it('takes other endpoints from the environment', () => {
  const environment = readEnvironment({ ...keys, GOOGLE_TOKEN_URL: 'http://localhost:9/token' })
  const [google] = listProviderConfigurations(environment, false)

  expect(google?.config.tokenUrl).toBe('http://localhost:9/token')
})

it.each([
  ['Maya Okonkwo', 'Maya', 'Okonkwo'],
  ['Gabriel José García Márquez', 'Gabriel', 'José García Márquez'],
  ['  Björk  ', 'Björk', ''],
  ['', 'User', ''],
  [null, 'User', ''],
  [undefined, 'User', ''],
  ['\u3164', 'User', ''],
  ['\u202eMaya \u2066Okonkwo', 'Maya', 'Okonkwo'],
])(
  'takes the first word of %j as first name and the rest as last name',
  (displayName, firstName, lastName) => {
    expect(splitDisplayName(displayName)).toEqual({ firstName, lastName })
  },
)

it.each([
  [{ given_name: 'Ada', family_name: 'Lovelace' }, 'Ada', 'Lovelace'],
  [{ given_name: 'Ada', family_name: 'Lovelace', name: 'A. Byron' }, 'Ada', 'Lovelace'],
  [{ given_name: 'José María', family_name: 'de la Cruz' }, 'José María', 'de la Cruz'],
  [{ given_name: 'Ada', name: 'Lovelace, Ada' }, 'Ada', 'Lovelace'],
  [{ given_name: 'Björk' }, 'Björk', ''],
  [{ family_name: 'Lovelace' }, 'Lovelace', ''],
  [{ name: 'ada@acme.example' }, 'User', ''],
  [{ name: 'ada@localhost' }, 'User', ''],
  [{ name: 'ada@acme.example', given_name: 'Ada', family_name: 'Lovelace' }, 'Ada', 'Lovelace'],
  [{ given_name: 'ada@acme.example', family_name: 'ada@acme.example' }, 'User', ''],
  [{ name: 'Ada Lovelace <ada@acme.example>' }, 'Ada', 'Lovelace'],
  [{ name: 42, given_name: null }, 'User', ''],
])('reads the claims %j as a name, never an email address', (claims, firstName, lastName) => {
  expect(readName(claims)).toEqual({ firstName, lastName })
})

it('maps the name claims of a provider to the account', async () => {
  const [google] = listProviderConfigurations(readEnvironment(keys), false)
  const profile = { sub: '1', email: 'ada@acme.example', given_name: 'Ada', family_name: 'King' }

  expect(await google?.config.mapProfileToUser?.(profile as never)).toMatchObject({
    name: 'Ada King',
    firstName: 'Ada',
    lastName: 'King',
  })
})

it('always gives names that can be stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (displayName) => {
      const { firstName, lastName } = splitDisplayName(displayName)

      expect(firstName.length).toBeGreaterThan(0)

      for (const name of [firstName, lastName]) {
        expect(name.length).toBeLessThanOrEqual(accountLimits.name)
        expect(name).not.toContain('\0')
        expect(name).not.toMatch(/[\uD800-\uDBFF]$/)
      }
    }),
    { numRuns: 50 },
  )
})

it('a name that was cut is known, whatever its letters are', () => {
  const long = fc.string({ unit: 'grapheme', minLength: accountLimits.name + 1, maxLength: 150 })
  fc.assert(
    fc.property(long, (name) => {
      const word = name.replaceAll(/[\s\0@,]/g, 'x')

      expect(isPossiblyTruncated(splitDisplayName(word).firstName)).toBe(true)
      expect(isPossiblyTruncated(splitDisplayName(`Ada ${word}`).lastName)).toBe(true)
    }),
    { numRuns: 50 },
  )

  expect(isPossiblyTruncated('Ada')).toBe(false)
})
