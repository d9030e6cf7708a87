import { createHash, randomBytes } from 'node:crypto'
import { base32crockford } from '@scure/base'
import { and, eq, gt } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { verifications } from '~/server/database/schema/index'
import type { Letter } from '~/server/mail/mail-letter.server'
import { siteName } from '~/server/site/site.server'

const livesMs = 15 * 60_000
/** 50 random bits are ten letters and digits, of which none looks like another. */
const codeBytes = 7
const codeLength = 10

/** Only a hash is stored, with the account, so that a code confirms no other one. */
function identifier(uid: string, code: string): string {
  return `confirm-code:${createHash('sha256').update(`${uid}:${code}`).digest('base64url')}`
}

/** @returns a code like `K7QD3-M2XP9` for an account's mailbox. */
export async function createMailedCode(
  db: Statements,
  uid: string,
  now = Date.now(),
): Promise<string> {
  const code = base32crockford.encode(randomBytes(codeBytes)).slice(0, codeLength)
  await db.insert(verifications).values({
    id: randomId(),
    identifier: identifier(uid, code),
    value: uid,
    expiresAt: new Date(now + livesMs),
  })

  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`
}

/**
 * A code as it is typed: the letters that codes don't have are read as the digits that they look
 * like.
 */
export function readCode(typed: string): string {
  const code = typed.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return code.replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** @returns true to exactly one of any number of callers. */
export async function consumeMailedCode(
  db: Statements,
  uid: string,
  typed: string,
  now: number,
): Promise<boolean> {
  const code = readCode(typed)
  const used = await db
    .delete(verifications)
    .where(
      and(
        eq(verifications.identifier, identifier(uid, code)),
        gt(verifications.expiresAt, new Date(now)),
      ),
    )
    .returning({ id: verifications.id })

  return used.length > 0
}

export const confirmCodeLetter = (code: string, href: string): Letter => ({
  subject: `Your ${siteName()} code`,
  before: [`Your code to confirm it’s you: ${code}`],
  link: { label: 'Enter the code', href },
  after: [
    'It works once, for 15 minutes, where you’re signed in.',
    'Didn’t ask for it? Then someone is signed in to your account: sign out all devices in your settings. Don’t give the code to anyone.',
  ],
})
