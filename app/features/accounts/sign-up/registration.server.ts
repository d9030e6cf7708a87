import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { queueMail } from '~/server/mail/outbox.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import type { AccountServiceCode } from '../account-errors'
import { addPassword, findUserByEmail, newId } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits, mailboxOf } from '../attempt-limits.server'
import { demoCredentials } from '../demo-account.server'
import { canonicalEmail } from '../email-address/email-address.server'
import { newPasswordRefusal } from '../password/new-password.server'
import { hashPassword, passwordsAreFull } from '../password/passwords.server'
import { beginSession, countClientAttempt, type RequestContext } from '../session/session.server'
import { rememberBrowser } from '../sign-in/browser-cookie.server'
import { isWayOpen } from '../social/organizations'

export type Registration = {
  email: string
  password: string
  firstName: string
  lastName: string
  rememberMe?: boolean
}

const limitsByClient = [
  attemptLimits.registrationByClient,
  attemptLimits.registrationByClientAndDay,
]

/** Makes an account with its welcome mail, and signs its browser in. @returns null, or why not. */
export async function registerAccount(
  service: AccountService,
  requestContext: RequestContext,
  { email: typed, password, firstName, lastName, rememberMe = true }: Registration,
): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  const email = canonicalEmail(typed)
  if (!email) {
    return 'invalid-email'
  }

  if (!isWayOpen(service.providers, email, 'password')) {
    return 'use-organization'
  }

  const weak = await newPasswordRefusal(password, { email, firstName, lastName })
  if (weak) {
    return weak
  }

  if (passwordsAreFull()) {
    return 'busy'
  }

  if (!(await countClientAttempt(service, requestContext, ...limitsByClient))) {
    return 'too-many-requests'
  }

  // Also while there is no demo account: switched on later, it would find its address taken, and
  // the start would fail.
  if (email === demoCredentials.email || (await findUserByEmail(db, email))) {
    return 'email-already-in-use'
  }

  const hash = await hashPassword(password)
  if (!hash) {
    for (const limit of limitsByClient) {
      await attempts.giveBack(limit, requestContext.client)
    }

    return 'busy'
  }

  // Registering and deleting an account again and again doesn't fill a mailbox.
  const welcome = await attempts.take(attemptLimits.welcomeByMailbox, mailboxOf(email))
  const uid = await createAccount(db, { email, firstName, lastName, hash, welcome })
  if (!uid) {
    return 'email-already-in-use'
  }

  countEvent('signUps')
  service.mailQueued()
  const refusal = await beginSession(service, requestContext, {
    uid,
    way: 'password',
    proof: { hash },
    rememberMe,
  })

  if (!refusal) {
    await rememberBrowser(service, requestContext, uid, hash)
  }

  return refusal
}

/**
 * The account, its password and its welcome mail: all of them or none.
 *
 * @returns its uid; null when another request has just made an account with this address.
 */
function createAccount(
  db: Database,
  {
    hash,
    welcome,
    ...person
  }: { email: string; firstName: string; lastName: string; hash: string; welcome: boolean },
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const name = `${person.firstName} ${person.lastName}`
    const [user] = await tx
      .insert(users)
      .values({ ...person, id: newId(), name })
      .onConflictDoNothing({ target: users.email })
      .returning({ uid: users.id })

    if (!user) {
      return null
    }

    await addPassword(tx, user.uid, hash)
    if (welcome) {
      await queueMail(tx, user.uid, 'welcome')
    }

    return user.uid
  })
}
