/**
 * Checks the password of an account.
 *
 * Attempts are limited by account, by browser and by client (`attempt-limits.server.ts`). The
 * passwords of one account are compared one after the other, so that parallel attempts can't exceed
 * a limit.
 */
import type { AccountErrorCode } from '../account-errors'
import { demoUid } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import {
  type Attempt,
  type AttemptLimit,
  type AttemptSubject,
  attemptLimits,
} from '../attempt-limits.server'
import { recordSecurityEvent } from '../security/security-log.server'
import {
  createClientAttempt,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { isSessionRecentlyConfirmed } from '../step-up/step-up.server'
import { findPasswordHash, type PasswordAccount } from './password-queries.server'
import { verifyPassword } from './passwords.server'

/** The limits against which the attempt to enter a password counts. */
export type PasswordLimits = {
  limit: AttemptLimit
  subject: AttemptSubject
  /** Whether a wrong password counts against the client as well. */
  shouldCountForClient: boolean
  /** The attempts that are counted if the password is right. */
  attemptsOnSuccess?: readonly Attempt[]
}

type PasswordAttempt = {
  /** If its `passwordHash` is null, the account has no password, and every password is wrong. */
  account: Pick<PasswordAccount, 'uid' | 'passwordHash'>
  /** The password as it was entered. */
  password: string
  limits: PasswordLimits
}

type PasswordCheckService = Pick<AccountService, 'db' | 'attempts' | 'passwordChecks'>

/**
 * Compares a password with the account's, one attempt at a time. Only wrong passwords count against
 * the client, so that a class behind one IP address can sign in together.
 *
 * @returns null if the password is right, otherwise the error
 */
export async function checkPassword(
  service: PasswordCheckService,
  requestContext: RequestContext,
  passwordAttempt: PasswordAttempt,
): Promise<AccountErrorCode | null> {
  const { limit, subject } = passwordAttempt.limits
  const error = await service.passwordChecks.run(`${limit.name}:${subject}`, () =>
    comparePassword(service, requestContext, passwordAttempt),
  )

  // Undefined means that the queue of this account is full.
  return error === undefined ? 'too-many-requests' : error
}

async function comparePassword(
  { db, attempts }: PasswordCheckService,
  requestContext: RequestContext,
  { account, password, limits }: PasswordAttempt,
): Promise<AccountErrorCode | null> {
  const { uid, passwordHash } = account
  const { limit, subject, shouldCountForClient, attemptsOnSuccess = [] } = limits
  const clientAttempt = createClientAttempt(requestContext, attemptLimits.wrongPasswordByClient)
  if (shouldCountForClient && (await attempts.isExhausted(clientAttempt))) {
    return 'too-many-requests'
  }

  // The attempt is counted before the comparison, so that parallel attempts cannot exceed the
  // limit.
  const isWithinLimit = await attempts.consume(limit, subject)
  // Everyone shares the demo password, so wrong passwords must not lock out the right one.
  if (!isWithinLimit && uid !== demoUid) {
    return 'too-many-requests'
  }

  const verification =
    passwordHash === null ? 'wrong' : await verifyPassword(password, passwordHash)
  if (verification === 'busy') {
    if (isWithinLimit) {
      await attempts.giveBack(limit, subject)
    }

    return 'busy'
  }

  if (verification === 'right') {
    await attempts.clear(limit, subject)
    return (await attempts.consumeAll(attemptsOnSuccess)) ? null : 'too-many-requests'
  }

  await recordSecurityEvent(db, uid, {
    kind: 'wrong-password',
    userAgent: getUserAgent(requestContext),
  })
  const isClientWithinLimit = !shouldCountForClient || (await attempts.consumeAll([clientAttempt]))

  return isWithinLimit && isClientWithinLimit ? 'wrong-password' : 'too-many-requests'
}

/**
 * Requires more than an open browser: the account's password or, for an account without one, a
 * recent sign-in.
 *
 * @param owner `uid` is the account that the form was opened for
 * @returns null if the account's owner sent the form, otherwise the error
 */
export async function confirmOwner(
  service: AccountService,
  requestContext: RequestContext,
  { uid, password }: { uid: string; password: string },
): Promise<AccountErrorCode | null> {
  const session = await findSession(service, requestContext)
  if (!session) {
    return 'not-signed-in'
  }

  if (session.userId !== uid) {
    return 'forbidden'
  }

  if (uid === demoUid) {
    return 'demo-account'
  }

  const passwordHash = await findPasswordHash(service.db, uid)
  if (!passwordHash) {
    return (await isSessionRecentlyConfirmed(service, session)) ? null : 'confirm-first'
  }

  return checkPassword(service, requestContext, {
    account: { uid, passwordHash },
    password,
    limits: createOwnerPasswordLimits(uid),
  })
}

/**
 * Counts the passwords of a signed-in owner apart from those at the login page, so that strangers
 * there can't lock anyone out of their own settings.
 */
export function createOwnerPasswordLimits(uid: string): PasswordLimits {
  const { wrongPasswordByAccount } = attemptLimits
  return { limit: wrongPasswordByAccount, subject: [uid, 'signed in'], shouldCountForClient: false }
}
