import type { Database } from '~/server/database/client.server'
import { identities, users } from '~/server/database/schema/index'
import { countEvent } from '~/server/metrics/counters.server'
import { queueMail } from '~/server/outbox.server'
import type { AccountServiceCode } from '../account-codes'
import { findUserByEmail, newId, type UserRow } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits, mailboxOf } from '../attempt-limits.server'
import { looksLikeEmail } from '../email-address/looks-like-email'
import { passwordLength } from '../password/password-length'
import { passwordIdentity } from '../password/password-queries.server'
import { hashPassword, passwordsAreFull } from '../password/passwords.server'
import { beginPasswordSession } from '../session/password-session.server'
import { countClientAttempt, type Visit } from '../session/visit.server'

export type Registration = {
  email: string
  password: string
  firstName: string
  lastName: string
  rememberMe?: boolean
}

const limitsByClient = [attemptLimits.registrationByClient, attemptLimits.registrationByClientAndDay]

/** Makes an account with its welcome mail, and signs its browser in. @returns null, or why not. */
export async function registerAccount(
  service: AccountService,
  visit: Visit,
  { email, password, firstName, lastName, rememberMe = true }: Registration,
): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  if (!looksLikeEmail(email)) return 'invalid-email'
  if (password.length < passwordLength.min) return 'weak-password'
  if (passwordsAreFull()) return 'busy'
  if (!(await countClientAttempt(service, visit, ...limitsByClient))) return 'too-many-requests'
  if (await findUserByEmail(db, email)) return 'email-already-in-use'
  const hash = await hashPassword(password)
  if (!hash) {
    for (const limit of limitsByClient) await attempts.giveBack(limit, visit.client)
    return 'busy'
  }
  // Registering and deleting again and again fills nobody's mailbox.
  const welcome = await attempts.take(attemptLimits.welcomeByMailbox, mailboxOf(email))
  const user = await recordEmailAccount(db, { email, firstName, lastName, hash, welcome })
  if (!user) return 'email-already-in-use'
  countEvent('signUps')
  service.mailQueued()
  return beginPasswordSession(service, visit, { uid: user.id, hash, rememberMe })
}

/**
 * Writes the account, its profile record, its password and its welcome mail, all or nothing.
 *
 * @returns null when the email address has an account already, even if it was made a moment ago.
 */
async function recordEmailAccount(
  db: Database,
  account: { email: string; firstName: string; lastName: string; hash: string; welcome: boolean },
): Promise<UserRow | null> {
  const { email, firstName, lastName, hash, welcome } = account
  return db.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({ id: newId(), email, firstName, lastName, name: `${firstName} ${lastName}`, provider: 'email' })
      .onConflictDoNothing({ target: users.email })
      .returning()
    if (!user) return null
    await tx.insert(identities).values(passwordIdentity(user.id, hash))
    if (welcome) await queueMail(tx, user.id, 'welcome')
    return user
  })
}
