import { expect, it } from 'vitest'
import { readEnvironment } from '../../../../tests/support/environment'
import { socialConfigurations } from './social-providers.server'

const keys = {
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  FACEBOOK_CLIENT_ID: 'facebook-id',
  FACEBOOK_CLIENT_SECRET: 'facebook-secret',
}

it('has Google always ask which account', () => {
  const [google] = socialConfigurations(readEnvironment(keys), false)
  expect(google).toMatchObject({ id: 'google', sample: false, config: { prompt: 'select_account' } })
})

it('reaches the real providers with keys, the sample provider on loopback, and elsewhere none', () => {
  const addresses = (env: Record<string, string>, loopback: boolean) =>
    socialConfigurations(readEnvironment(env), loopback).map(
      ({ config }) => new URL(config.authorizationUrl ?? '').host,
    )
  expect(addresses(keys, false)).toEqual(['accounts.google.com', 'www.facebook.com'])
  expect(addresses({}, true)).toEqual(['localhost:3000', 'localhost:3000'])
  expect(addresses({}, false)).toEqual([])
})

it('takes other endpoints from the environment', () => {
  const environment = readEnvironment({ ...keys, GOOGLE_TOKEN_URL: 'http://localhost:9/token' })
  const [google] = socialConfigurations(environment, false)
  expect(google?.config.tokenUrl).toBe('http://localhost:9/token')
})
