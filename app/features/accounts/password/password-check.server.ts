import { demoUid } from '~/features/accounts/demo/demo-uid.server'
import type { AccountServiceCode } from '../account-errors'
import { findPasswordHash } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, type AttemptLimit, type AttemptSubject, attemptLimits } from '../attempt-limits.server'
import { clientAttempt, type RequestContext } from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { verifyPassword } from './passwords.server'

/**
 * The counters for a wrong password (the limit's subject and, for strangers, the client) and the effect of a right one.
 */
export type Counted = { limit: AttemptLimit; subject: AttemptSubject; byClient: boolean; right?: readonly Attempt[] }

/**
 * Compares a password with the account's, one attempt at a time. Only wrong ones count against the client, so that a class
 * behind one address can sign in together; the account's count is taken before the comparison, so that parallel attempts
 * are counted.
 *
 * @param hash null for an account without a password, whose every password is wrong.
 * @returns null if it is right, or the refusal.
 */
export async function checkPassword(
  { attempts, turnstile }: Pick<AccountService, 'attempts' | 'turnstile'>,
  requestContext: RequestContext,
  account: { uid: string; hash: string | null },
  password: string,
  { limit, subject, byClient, right: ofRight = [] }: Counted,
): Promise<AccountServiceCode | null> {
  const ofClient = clientAttempt(requestContext, attemptLimits.passwordByClient)
  const compare = async (): Promise<AccountServiceCode | 'right'> => {
    const within = byClient
      ? await attempts.takeBeside({ limit, subject }, ofClient)
      : await attempts.take(limit, subject)
    // Everyone shares the demo password, so wrong ones must not lock out the right one.
    if (within === null || (!within && account.uid !== demoUid)) return 'too-many-requests'
    const right = account.hash !== null && (await verifyPassword(password, account.hash))
    if (right === null) {
      if (within) await attempts.giveBack(limit, subject)
      return 'busy'
    }
    if (right) return (await attempts.takeEach(ofRight, { limit, subject })) ? 'right' : 'too-many-requests'
    const room = !byClient || (await attempts.takeEach([ofClient]))
    return within && room ? 'wrong-password' : 'too-many-requests'
  }
  const answer = (await turnstile.pass(`${limit.name}:${subject}`, compare)) ?? 'too-many-requests'
  return answer === 'right' ? null : answer
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
