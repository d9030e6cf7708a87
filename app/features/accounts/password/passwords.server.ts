import { availableParallelism } from 'node:os'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import type { AccountServiceCode } from '../account-errors'
import { demoUid, findPasswordHash } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import {
  type Attempt,
  type AttemptLimit,
  type AttemptSubject,
  attemptLimits,
} from '../attempt-limits.server'
import { recordSecurityEvent } from '../security/security-log.server'
import {
  clientAttempt,
  findSession,
  type RequestContext,
  userAgentOf,
} from '../session/session.server'
import { isConfirmed } from '../step-up/step-up.server'

/**
 * OWASP's first choice for Argon2id (the library's default algorithm): 46 MiB, 1 pass, 1 lane. Of
 * its equally strong second choice, with 19 MiB, glibc would hold back the memory of each thread
 * that has hashed.
 */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

/**
 * Hashing is expensive for the server and cheap to request. It runs in Node's thread pool, and one
 * processor stays free for everything else. The wait is at most a second or two.
 */
const hashes = limitConcurrency(Math.max(1, availableParallelism() - 1), {
  name: 'passwords',
  waiting: 60,
})

/** Checked before a sign-in runs its first query. The queue may still be full afterward. */
export function passwordsAreFull(): boolean {
  return hashes.isFull
}

/** The same password however the keyboard composes accents (NIST SP 800-63B, 3.1.1.2). */
const composed = (password: string) => password.normalize('NFKC')

/** @returns null when more passwords wait than can be hashed in good time. */
export function hashPassword(password: string): Promise<string | null> {
  return unlessBusy(() => hash(composed(password), cost))
}

/** @returns null when more passwords wait than can be compared in good time. */
export function verifyPassword(password: string, hashed: string): Promise<boolean | null> {
  return unlessBusy(() => verify(hashed, composed(password)))
}

/**
 * For other secrets than passwords, which are found by their hash.
 *
 * @returns null when more passwords wait than can be hashed in good time.
 */
export async function hashWithSalt(secret: string, salt: string): Promise<string | null> {
  const hashed = await unlessBusy(() =>
    hashRaw(secret, { ...cost, salt: Buffer.from(salt, 'base64url') }),
  )
  return hashed === null ? null : hashed.toString('base64url')
}

async function unlessBusy<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await hashes.run(work)
  } catch (error) {
    if (error instanceof BusyError) {
      return null
    }

    throw error
  }
}

/** How a check counts: the limit of the account or browser, and what else. */
export type Counted = {
  limit: AttemptLimit
  subject: AttemptSubject
  /** Strangers' wrong passwords count against their client, too. */
  byClient: boolean
  /** Counted when the password is right. */
  right?: readonly Attempt[]
}

/**
 * Compares a password with the account's, one attempt at a time. Only wrong ones count against the
 * client, so that a class behind one address can sign in together.
 *
 * @param hash null for an account without a password, whose every password is wrong.
 * @returns null if it is right, or the refusal.
 */
export async function checkPassword(
  { db, attempts, turnstile }: Pick<AccountService, 'db' | 'attempts' | 'turnstile'>,
  requestContext: RequestContext,
  account: { uid: string; hash: string | null },
  password: string,
  { limit, subject, byClient, right: countedIfRight = [] }: Counted,
): Promise<AccountServiceCode | null> {
  const ofClient = clientAttempt(requestContext, attemptLimits.passwordByClient)

  const compare = async (): Promise<AccountServiceCode | null> => {
    if (byClient && (await attempts.isFull(ofClient))) {
      return 'too-many-requests'
    }

    // Counted before the comparison, so that parallel attempts can't slip through.
    const isWithinLimit = await attempts.take(limit, subject)
    // Everyone shares the demo password, so wrong ones must not lock out the right one.
    if (!isWithinLimit && account.uid !== demoUid) {
      return 'too-many-requests'
    }

    const isRight = account.hash !== null && (await verifyPassword(password, account.hash))
    if (isRight === null) {
      if (isWithinLimit) {
        await attempts.giveBack(limit, subject)
      }

      return 'busy'
    }

    if (isRight) {
      await attempts.clear(limit, subject)
      return (await attempts.takeEach(countedIfRight)) ? null : 'too-many-requests'
    }

    await recordSecurityEvent(db, account.uid, {
      kind: 'wrong-password',
      userAgent: userAgentOf(requestContext),
    })
    const clientHasRoom = !byClient || (await attempts.takeEach([ofClient]))

    return isWithinLimit && clientHasRoom ? 'wrong-password' : 'too-many-requests'
  }

  const answer = await turnstile.pass(`${limit.name}:${subject}`, compare)

  return answer === undefined ? 'too-many-requests' : answer
}

/**
 * Requires more than an open browser: the account's password, counted like a login, or for an
 * account without one that the session is confirmed.
 *
 * @param uid whose account the form was opened for.
 * @returns null when it is the owner, or why not.
 */
export async function confirmOwner(
  service: AccountService,
  requestContext: RequestContext,
  { uid, password }: { uid: string; password: string },
): Promise<AccountServiceCode | null> {
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

  const hash = await findPasswordHash(service.db, uid)
  if (!hash) {
    return (await isConfirmed(service, session)) ? null : 'confirm-first'
  }

  return checkPassword(service, requestContext, { uid, hash }, password, countedForOwner(uid))
}

/** A separate count, so strangers at the login can't lock anyone out of their own settings. */
export function countedForOwner(uid: string): Counted {
  return { limit: attemptLimits.passwordByAccount, subject: [uid, 'signed in'], byClient: false }
}
