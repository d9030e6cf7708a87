import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { log } from '~/server/operations/log.server'
import { verifyIdToken } from './id-token.server'

const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
beforeEach(() => warn.mockClear())

let privateKey: CryptoKey
let config: Parameters<typeof verifyIdToken>[1]

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  privateKey = pair.privateKey
  config = {
    jwks: createLocalJWKSet({ keys: [await exportJWK(pair.publicKey)] }),
    issuer: 'https://acme.example',
    audience: 'learnify',
    algorithms: ['ES256'],
  }
})

/** Verifies a token whose times are so many seconds from now. */
async function verify(
  { notBefore = -5, expires = 300 }: { notBefore?: number; expires?: number },
  { issuer = 'https://acme.example', nonce = 'n' } = {},
) {
  const now = Math.floor(Date.now() / 1000)
  const token = await new SignJWT({ sub: 'ada', nonce })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(issuer)
    .setAudience('learnify')
    .setNotBefore(now + notBefore)
    .setExpirationTime(now + expires)
    .sign(privateKey)

  return verifyIdToken('sso-acme', config, { token, nonce: 'n' })
}

describe('an ID token', () => {
  it.each([[{ notBefore: 3 }], [{ notBefore: 50 }], [{ expires: -10 }], [{ expires: -50 }]])(
    'is accepted within a minute of its times: %j',
    async (times) => {
      expect(await verify(times)).toBe(true)
      expect(warn).not.toHaveBeenCalled()
    },
  )

  it.each([
    [{ notBefore: 90 }, 'nbf', 90],
    [{ expires: -90 }, 'exp', -90],
  ])(
    'is refused beyond it, and the log names claim and difference: %j',
    async (times, claim, seconds) => {
      expect(await verify(times)).toBe(false)

      const [fields] = warn.mock.lastCall as unknown as [{ secondsFromNow: number }]
      expect(fields).toMatchObject({ provider: 'sso-acme', claim })
      expect(Math.abs(fields.secondsFromNow - seconds)).toBeLessThanOrEqual(2)
    },
  )

  it('of another issuer or another sign-in is refused, and the log names the claim', async () => {
    expect(await verify({}, { issuer: 'https://evil.example' })).toBe(false)
    expect(warn).toHaveBeenLastCalledWith(
      expect.objectContaining({ claim: 'iss' }),
      expect.any(String),
    )

    expect(await verify({}, { nonce: 'other' })).toBe(false)
    expect(warn).toHaveBeenLastCalledWith(
      { provider: 'sso-acme', claim: 'nonce' },
      expect.any(String),
    )
  })
})
