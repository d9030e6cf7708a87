/**
 * Registers accounts with email and password.
 *
 * The account, its password and its welcome email are written in one transaction. better-auth's
 * `signUpEmail` breaks this promise: it writes them in separate statements and sends the email
 * itself, so a crash leaves an account without a password, or without its email.
 */
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { queueMail } from '~/server/mail/outbox.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import type { AccountErrorCode } from '../account-errors'
import { findUserByEmail, generateId } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { demoCredentials } from '../demo-account.server'
import { toCanonicalEmail } from '../email-address/email-address.server'
import { checkNewPassword } from '../password/new-password.server'
import { addUnprovenPassword } from '../password/password-queries.server'
import { hashPassword, isPasswordQueueFull } from '../password/passwords.server'
import { consumeClientAttempts, type RequestContext } from '../session/request-context.server'
import { beginSession } from '../session/session.server'
import { recordKnownBrowser } from '../sign-in/browser-cookie.server'
import { isSignInMethodAllowed } from '../social/allowed-sign-in-methods'

type Registration = {
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

/**
 * Creates an account and signs its browser in.
 *
 * @returns null, or why the registration is refused
 */
export async function registerAccount(
  service: AccountService,
  requestContext: RequestContext,
  { email: submittedEmail, password, firstName, lastName, rememberMe = true }: Registration,
): Promise<AccountErrorCode | null> {
  const { db, attempts } = service
  const email = toCanonicalEmail(submittedEmail)
  if (!email) {
    return 'invalid-email'
  }

  if (!isSignInMethodAllowed(service.providers, email, 'password')) {
    return 'use-organization'
  }

  const passwordError = await checkNewPassword(password, { email, firstName, lastName })
  if (passwordError) {
    return passwordError
  }

  if (isPasswordQueueFull()) {
    return 'busy'
  }

  if (!(await consumeClientAttempts(service, requestContext, ...limitsByClient))) {
    return 'too-many-requests'
  }

  // The demo account's email is reserved even while there is no demo account. If it is turned on
  // later, the start would fail because of the taken email.
  if (email === demoCredentials.email || (await findUserByEmail(db, email))) {
    return 'email-already-in-use'
  }

  const passwordHash = await hashPassword(password)
  if (!passwordHash) {
    for (const limit of limitsByClient) {
      await attempts.giveBack(limit, requestContext.clientNetwork)
    }

    return 'busy'
  }

  // The limit keeps someone who registers and deletes an account again and again from filling a
  // mailbox.
  const { welcomeByMailbox } = attemptLimits
  const shouldWelcome = await attempts.consume(welcomeByMailbox, toMailbox(email))
  const account = { email, firstName, lastName, passwordHash, shouldWelcome }
  const uid = await createAccount(db, account)
  if (!uid) {
    return 'email-already-in-use'
  }

  countEvent('signUps')
  service.wakeEmailSender()

  const sessionError = await beginSession(service, requestContext, {
    uid,
    signInMethod: 'password',
    proof: { passwordHash },
    rememberMe,
  })
  if (sessionError) {
    return sessionError
  }

  await recordKnownBrowser(service, requestContext, uid, passwordHash)

  return null
}

type NewAccount = {
  email: string
  firstName: string
  lastName: string
  passwordHash: string
  shouldWelcome: boolean
}

/** @returns the new account's uid, or null if another request has just registered this email */
function createAccount(
  db: Database,
  { passwordHash, shouldWelcome, ...person }: NewAccount,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const name = `${person.firstName} ${person.lastName}`
    const [user] = await tx
      .insert(users)
      .values({ ...person, id: generateId(), name })
      .onConflictDoNothing({ target: users.email })
      .returning({ uid: users.id })
    if (!user) {
      return null
    }

    await addUnprovenPassword(tx, user.uid, passwordHash)
    if (shouldWelcome) {
      await queueMail(tx, user.uid, 'welcome')
    }

    return user.uid
  })
}

/** Returns the email without its alias: `ada+1@...` and `ada+2@...` reach the same mailbox. */
function toMailbox(email: string): string {
  return email.replace(/\+[^@]*(?=@)/, '')
}
