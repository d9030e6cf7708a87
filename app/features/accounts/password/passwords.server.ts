/**
 * Hashes passwords, and checks the password of an account.
 *
 * Hashing is expensive, so it runs in a short queue. If the queue is full, functions return `busy` or
 * null, and the caller tells the person to try again. Attempts are limited by account, by browser and
 * by client (`attempt-limits.server.ts`).
 */
import { availableParallelism } from 'node:os'
import { hash as hashArgon2, hashRaw, verify } from '@node-rs/argon2'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import type { AccountErrorCode } from '../account-errors'
import { demoUid, findPasswordHash, type PasswordAccount } from '../account-queries.server'
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

/**
 * OWASP's first choice for Argon2id, which is the library's default algorithm: 46 MiB, 1 pass, 1
 * lane. The second choice with 19 MiB is as strong, but glibc would keep the memory of each thread
 * that has hashed.
 */
const argon2Cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

/**
 * Hashing is expensive for the server and cheap to request. It runs in Node's thread pool and leaves
 * one processor free for everything else. A password waits for a second or two at most.
 */
const hashingQueue = limitConcurrency(Math.max(1, availableParallelism() - 1), {
  name: 'passwords',
  maxWaiting: 60,
})

/**
 * Returns whether too many passwords are waiting. Callers check this before their first query. The
 * queue may still fill up afterwards.
 */
export function isPasswordQueueFull(): boolean {
  return hashingQueue.isFull
}

/**
 * Makes a password independent of how the keyboard composes accents (NIST SP 800-63B, 3.1.1.2).
 */
function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** @returns null if too many passwords are waiting */
export function hashPassword(password: string): Promise<string | null> {
  return runUnlessBusy(() => hashArgon2(normalizePassword(password), argon2Cost))
}

type PasswordVerification = 'right' | 'wrong' | 'busy'

/** @returns `busy` if too many passwords are waiting */
export async function verifyPassword(
  password: string,
  passwordHash: string,
): Promise<PasswordVerification> {
  const isRight = await runUnlessBusy(() => verify(passwordHash, normalizePassword(password)))
  if (isRight === null) {
    return 'busy'
  }

  return isRight ? 'right' : 'wrong'
}

/**
 * Hashes a secret that is found by its hash, unlike a password.
 *
 * @returns null if too many passwords are waiting
 */
export async function hashWithSalt(secret: string, salt: string): Promise<string | null> {
  const hash = await runUnlessBusy(() =>
    hashRaw(secret, { ...argon2Cost, salt: Buffer.from(salt, 'base64url') }),
  )
  return hash === null ? null : hash.toString('base64url')
}

/** @returns null if the queue is full */
async function runUnlessBusy<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await hashingQueue.run(task)
  } catch (error) {
    if (error instanceof BusyError) {
      return null
    }

    throw error
  }
}

/** The limits against which an attempt to enter a password counts. */
export type PasswordLimits = {
  limit: AttemptLimit
  subject: AttemptSubject
  /** Whether a wrong password counts against the client as well. */
  alsoCountsForClient: boolean
  /** The attempts to count if the password is right. */
  consumedOnSuccess?: readonly Attempt[]
}

type CheckedAccount = Pick<PasswordAccount, 'uid' | 'passwordHash'>
type PasswordCheckService = Pick<AccountService, 'db' | 'attempts' | 'passwordChecks'>

/**
 * Compares a password with the account's, one attempt at a time. Only wrong passwords count against
 * the client, so that a class behind one IP address can sign in together.
 *
 * @param account its `passwordHash` is null if it has no password. Then every password is wrong.
 * @returns null if the password is right, otherwise the error
 */
export async function checkPassword(
  service: PasswordCheckService,
  requestContext: RequestContext,
  account: CheckedAccount,
  password: string,
  limits: PasswordLimits,
): Promise<AccountErrorCode | null> {
  const { limit, subject } = limits
  const error = await service.passwordChecks.run(`${limit.name}:${subject}`, () =>
    comparePassword(service, requestContext, account, password, limits),
  )

  // Undefined means that the queue of this account is full.
  return error === undefined ? 'too-many-requests' : error
}

async function comparePassword(
  { db, attempts }: PasswordCheckService,
  requestContext: RequestContext,
  { uid, passwordHash }: CheckedAccount,
  password: string,
  { limit, subject, alsoCountsForClient, consumedOnSuccess = [] }: PasswordLimits,
): Promise<AccountErrorCode | null> {
  const clientAttempt = createClientAttempt(requestContext, attemptLimits.wrongPasswordByClient)
  if (alsoCountsForClient && (await attempts.isExhausted(clientAttempt))) {
    return 'too-many-requests'
  }

  // The attempt is counted before the comparison, so that parallel attempts cannot exceed the limit.
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
    return (await attempts.consumeAll(consumedOnSuccess)) ? null : 'too-many-requests'
  }

  await recordSecurityEvent(db, uid, {
    kind: 'wrong-password',
    userAgent: getUserAgent(requestContext),
  })
  const isClientWithinLimit = !alsoCountsForClient || (await attempts.consumeAll([clientAttempt]))

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

  const account = { uid, passwordHash }
  return checkPassword(service, requestContext, account, password, createOwnerPasswordLimits(uid))
}

/**
 * Counts the passwords of a signed-in owner apart from those at the login page, so that strangers
 * there can't lock anyone out of their own settings.
 */
export function createOwnerPasswordLimits(uid: string): PasswordLimits {
  const { wrongPasswordByAccount } = attemptLimits
  return { limit: wrongPasswordByAccount, subject: [uid, 'signed in'], alsoCountsForClient: false }
}
