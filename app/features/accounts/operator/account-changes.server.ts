import { eq } from 'drizzle-orm'
import { demoUid } from '~/features/accounts/demo/demo-uid.server'
import type { Statements } from '~/server/database/client.server'
import { identities, type MailKind, sessions, users } from '~/server/database/schema/index'
import { StartError } from '~/server/env.server'
import { queueMail, queueMailToFormerAddress } from '~/server/mail/outbox.server'
import { findUserByEmail, type UserRow } from '../account-queries.server'
import { canonicalEmail, emailProblem } from '../email-address/email-address.server'
import { revokeMailedTokens } from '../mail/mailed-tokens.server'

const uniqueViolation = '23505'
const addressTaken = 'Another account has this email address.'

/**
 * Gives an account another address, which has to be confirmed: a link is mailed to it, and links that were mailed to the
 * former address stop working. A confirmed former address is told. Ways to sign in remain until the new address is proven
 * (`proveOwner`).
 *
 * @throws {StartError} if it is no address, or another account's.
 */
export async function changeEmail(transaction: Statements, user: UserRow, address: string): Promise<void> {
  requireOwnAccount(user)
  const email = canonicalEmail(address)
  if (!email) throw new StartError(emailProblem(address) ?? '')
  if (email === user.email) throw new StartError('The account already has this email address.')
  const other = await findUserByEmail(transaction, email)
  if (other && other.id !== user.id) throw new StartError(addressTaken)
  const unconfirmed = { emailVerified: false, emailVerifiedAt: null, updatedAt: new Date() }
  try {
    await transaction
      .update(users)
      .set({ email, ...unconfirmed })
      .where(eq(users.id, user.id))
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code !== uniqueViolation) throw error
    throw new StartError(addressTaken)
  }
  await transaction.update(identities).set({ proven: false }).where(eq(identities.userId, user.id))
  await revokeMailedTokens(transaction, user.id)
  if (user.emailVerified) await queueMailToFormerAddress(transaction, user.id, user.email)
  await queueMail(transaction, user.id, 'confirmation')
}

export const resendable = ['confirmation', 'reset', 'welcome', 'invitation'] as const satisfies MailKind[]

/** Queues an email that a learner says never came; limits are for learners. @throws {StartError} if it would be pointless. */
export async function resendMail(transaction: Statements, user: UserRow, kind: string): Promise<void> {
  const known = resendable.find((one) => one === kind)
  if (!known) throw new StartError(`There’s no email '${kind}'. Choose one of: ${resendable.join(', ')}.`)
  requireOwnAccount(user)
  if (user.banned) throw new StartError('The account is disabled, so no email goes to it.')
  if (user.emailVerified && known !== 'reset') throw new StartError('The email address is already confirmed.')
  await queueMail(transaction, user.id, known)
}

/** Signs the account out in every browser. @returns in how many. */
export async function endAllSessions(transaction: Statements, uid: string): Promise<number> {
  const ended = await transaction.delete(sessions).where(eq(sessions.userId, uid)).returning({ id: sessions.id })
  return ended.length
}

/** @throws {StartError} for the demo account, which is the product's own. */
export function requireOwnAccount({ id }: Pick<UserRow, 'id'>): void {
  if (id === demoUid)
    throw new StartError('The demo account belongs to Learnify. To turn it off, set DEMO_ACCOUNT=off.')
}
