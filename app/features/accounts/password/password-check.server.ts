import { demoUid } from '~/features/accounts/demo/demo-uid.server'
import type { AccountServiceCode } from '../account-errors'
import { findPasswordHash } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, type AttemptLimit, type AttemptSubject, attemptLimits } from '../attempt-limits.server'
import { clientAttempt, type RequestContext } from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { verifyPassword } from './passwords.server'

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
 * Compares a password with the account's, one attempt at a time. Only wrong ones count against the client, so that a class
 * behind one address can sign in together.
 *
 * @param hash null for an account without a password, whose every password is wrong.
 * @returns null if it is right, or the refusal.
 */
export async function checkPassword(
  { attempts, turnstile }: Pick<AccountService, 'attempts' | 'turnstile'>,
  requestContext: RequestContext,
  account: { uid: string; hash: string | null },
  password: string,
  { limit, subject, byClient, right: countedIfRight = [] }: Counted,
): Promise<AccountServiceCode | null> {
  const ofClient = clientAttempt(requestContext, attemptLimits.passwordByClient)

  const compare = async (): Promise<AccountServiceCode | null> => {
    if (byClient && (await attempts.isFull(ofClient))) return 'too-many-requests'
    // Counted before the comparison, so that parallel attempts can't slip through.
    const isWithinLimit = await attempts.take(limit, subject)
    // Everyone shares the demo password, so wrong ones must not lock out the right one.
    if (!isWithinLimit && account.uid !== demoUid) return 'too-many-requests'

    const isRight = account.hash !== null && (await verifyPassword(password, account.hash))
    if (isRight === null) {
      if (isWithinLimit) await attempts.giveBack(limit, subject)
      return 'busy'
    }
    if (isRight) {
      await attempts.clear(limit, subject)
      return (await attempts.takeEach(countedIfRight)) ? null : 'too-many-requests'
    }
    const clientHasRoom = !byClient || (await attempts.takeEach([ofClient]))
    return isWithinLimit && clientHasRoom ? 'wrong-password' : 'too-many-requests'
  }

  const answer = await turnstile.pass(`${limit.name}:${subject}`, compare)
  return answer === undefined ? 'too-many-requests' : answer
}

/** How long a social sign-in counts as fresh, in milliseconds. */
export const freshSignInMs = 5 * 60_000

/**
 * Requires more than an open browser: the account's password, counted like a login, or for an account without one a
 * session that a provider began in the last minutes.
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
  if (!session) return 'not-signed-in'
  if (session.userId !== uid) return 'forbidden'
  if (uid === demoUid) return 'demo-account'
  const hash = await findPasswordHash(service.db, uid)
  if (!hash) return service.now() - session.createdAt.getTime() <= freshSignInMs ? null : 'sign-in-again'
  // A separate count, so strangers at the login can't lock anyone out of their own settings.
  const counted: Counted = { limit: attemptLimits.passwordByAccount, subject: [uid, 'signed in'], byClient: false }
  return checkPassword(service, requestContext, { uid, hash }, password, counted)
}
