import { createHmac, timingSafeEqual } from 'node:crypto'
import { env } from './env.server'
import { authSecret } from './secrets.server'

let secret: Promise<string> | undefined

/**
 * Signs what a browser brings back unchanged.
 *
 * @param purpose keeps the signatures of one use from counting for another.
 */
export async function sign(purpose: string, parts: readonly (string | number)[]): Promise<string> {
  secret ??= authSecret(env.DATA_DIR, env.AUTH_SECRET)
  return createHmac('sha256', await secret)
    .update(JSON.stringify([purpose, ...parts]))
    .digest('base64url')
}

export async function isSigned(purpose: string, parts: readonly (string | number)[], signature: string) {
  const expected = Buffer.from(await sign(purpose, parts))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
