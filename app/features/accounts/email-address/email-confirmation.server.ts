/**
 * Confirms an account's email by an emailed link.
 *
 * Whoever reads the email can also disown the account ('It wasn't me'), because a stranger may have
 * registered with this email. Each link works once, and opening it changes nothing.
 *
 * better-auth's own confirmation has none of this: its link works any number of times until it
 * expires, confirms as soon as it is opened (which email scanners do), and can't disown the
 * account.
 */
import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import { identities, passkeys, users } from '~/server/database/schema/index'
import { queueMail } from '~/server/mail/outbox.server'
import { siteTimeZone } from '~/server/site/site.server'
import type { AccountErrorCode } from '../account-errors'
import { endSessions, findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import {
  consumeOneTimeToken,
  findOneTimeToken,
  revokeOneTimeTokens,
} from '../one-time-tokens.server'
import { hasSecurityEventSince, recordSecurityEvent } from '../security/security-log.server'
import { findTwoFactor, removeAuthenticatorApp } from '../two-factor/authenticator-app.server'
import { recordEmailArrival } from './owner-proof.server'

/** The account behind a link. Its name is left out, because a stranger may have chosen it. */
type AccountToConfirm = {
  email: string
  accountCreatedAt: string
  /** The school's time zone, because the visitor's own is unknown. */
  timeZone: string
}

/** What the page shows: a question for a usable link, otherwise how to get one. */
export type ConfirmationView =
  | ({ status: 'link'; token: string } & AccountToConfirm)
  | { status: 'visitor'; isLinkExpired: boolean }
  | { status: 'confirmed' }
  | { status: 'unconfirmed'; email: string; isLinkExpired: boolean }

/**
 * Returns the account behind a link, or null. It changes nothing, because email scanners open
 * links.
 */
export async function findAccountToConfirm(
  db: Database,
  token: string,
): Promise<AccountToConfirm | null> {
  const uid = await findOneTimeToken(db, 'verify-email', token)
  const user = uid ? await findUser(db, uid) : null
  if (!user) {
    return null
  }

  return {
    email: user.email,
    accountCreatedAt: user.createdAt.toISOString(),
    timeZone: siteTimeZone(),
  }
}

/**
 * Emails a new confirmation link.
 *
 * @returns null, or why no email is sent
 */
export async function requestConfirmation(
  service: AccountService,
  uid: string,
): Promise<AccountErrorCode | null> {
  const { db, attempts } = service
  const user = await findUser(db, uid)
  if (!user) {
    return 'not-signed-in'
  }

  if (user.emailVerified) {
    return null
  }

  if (!(await attempts.consume(attemptLimits.confirmationByAccount, uid))) {
    return 'too-many-requests'
  }

  await queueMail(db, uid, 'confirmation')
  service.wakeEmailSender()

  return null
}

/** @returns the account's uid, or null if the link was used, has expired or never existed */
export async function confirmEmail(db: Database, token: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    const uid = await consumeOneTimeToken(tx, 'verify-email', token)
    if (!uid) {
      return null
    }

    await recordEmailArrival(tx, uid)
    await revokeOneTimeTokens(tx, uid, 'verify-email')

    return uid
  })
}

/**
 * Locks an account that the reader of the email did not create. Nobody can sign in until the reader
 * sets a password with an emailed link. The account keeps its courses and progress, but loses its
 * password, linked providers and passkeys.
 *
 * @returns false if the link was used, has expired or never existed
 */
export async function disownAccount(
  db: Database,
  token: string,
  userAgent: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const uid = await consumeOneTimeToken(tx, 'verify-email', token)
    if (!uid) {
      return false
    }

    // A sign-in that is under way either has finished before this lock, so that its session ends
    // below, or finds no password, which is one of the identities.
    await tx.select({ uid: users.id }).from(users).where(eq(users.id, uid)).for('update')
    await tx.delete(identities).where(eq(identities.userId, uid))
    await tx.delete(passkeys).where(eq(passkeys.userId, uid))

    if (!(await hasAppFromBeforeEmailChange(tx, uid))) {
      await removeAuthenticatorApp(tx, uid)
    }

    await endSessions(tx, uid)
    await revokeOneTimeTokens(tx, uid)
    await recordSecurityEvent(tx, uid, { kind: 'secured', userAgent })

    return true
  })
}

/**
 * Returns whether the account had its authenticator app before an operator changed the email. The
 * new email may be a stranger's, so the app has to protect the account further on.
 */
async function hasAppFromBeforeEmailChange(tx: Transaction, uid: string): Promise<boolean> {
  const app = await findTwoFactor(tx, uid)
  if (!app) {
    return false
  }

  const appSince = app.enabledAt ?? app.createdAt

  return hasSecurityEventSince(tx, uid, 'address-changed', appSince)
}
