/** Codes that are emailed to a learner who has to confirm their identity. Each works once. */
import { createHash, randomBytes } from 'node:crypto'
import { base32crockford } from '@scure/base'
import { and, eq, gt } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { verifications } from '~/server/database/schema/index'
import type { EmailContent } from '~/server/mail/email-layout.server'
import { siteName } from '~/server/site/site.server'
import { cleanCode } from '~/ui/form/clean-text'

const lifetimeMs = 15 * 60_000

/** Ten characters of Crockford's base 32, which are hard to confuse, have 50 random bits. */
const codeLength = 10

/** The 56 random bits that a code is cut from. */
const randomByteCount = 7

/** Creates a code for an account's mailbox, like `K7QD3-M2XP9`. */
export async function createMailedCode(
  db: Statements,
  uid: string,
  now = Date.now(),
): Promise<string> {
  const code = base32crockford.encode(randomBytes(randomByteCount)).slice(0, codeLength)
  await db.insert(verifications).values({
    id: randomId(),
    identifier: getIdentifier(uid, code),
    value: uid,
    expiresAt: new Date(now + lifetimeMs),
  })

  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`
}

/**
 * Consumes a code.
 *
 * @returns true to exactly one of any number of parallel callers with the same code
 */
export async function consumeMailedCode(
  db: Statements,
  uid: string,
  submittedCode: string,
  now: number,
): Promise<boolean> {
  const code = normalizeCode(submittedCode)
  const isUsable = and(
    eq(verifications.identifier, getIdentifier(uid, code)),
    gt(verifications.expiresAt, new Date(now)),
  )
  const deleted = await db.delete(verifications).where(isUsable).returning({ id: verifications.id })

  return deleted.length > 0
}

/**
 * Returns the stored form of a code. It is a hash that covers the account, so a code works for no
 * other.
 */
function getIdentifier(uid: string, code: string): string {
  return `confirm-code:${createHash('sha256').update(`${uid}:${code}`).digest('base64url')}`
}

/**
 * Returns the characters of a submitted code. The letters O, I and L, which no code contains,
 * become the digits that look like them.
 */
export function normalizeCode(submittedCode: string): string {
  const code = cleanCode(submittedCode).replaceAll(/[^0-9A-Z]/g, '')
  return code.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** The email with the code. */
export const writeConfirmCodeEmail = (code: string, href: string): EmailContent => ({
  subject: `Your ${siteName()} code`,
  beforeLink: [`Your code to confirm it’s you: ${code}`],
  link: { label: 'Enter the code', href },
  afterLink: [
    'It works once, for 15 minutes, where you’re signed in.',
    'Didn’t ask for it? Then someone is signed in to your account: sign out all devices in your settings. Don’t give the code to anyone.',
  ],
})
