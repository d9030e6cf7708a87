import { demoUid } from '~/server/demo-uid.server'
import type { AccountServiceCode } from '../account-codes'
import type { AccountService } from '../account-service.server'
import { type Attempt, type AttemptLimit, type AttemptSubject, attemptLimits } from '../attempt-limits.server'
import { clientAttempt, type Visit } from '../session/visit.server'
import { verifyPassword } from './passwords.server'

/** What a wrong password counts against: the limit's subject and, for strangers, the client; and what a right one does. */
export type Counted = { limit: AttemptLimit; subject: AttemptSubject; byClient: boolean; right?: readonly Attempt[] }

/**
 * Compares a password with the account's, one attempt at a time. Only wrong ones count against the client, so that a
 * class behind one client address may sign in at the same moment; the account's count is taken before the comparison, so
 * that parallel attempts cannot slip through.
 *
 * @param hash null for an account without a password, whose every password is wrong.
 * @returns null if it is right, or the refusal.
 */
export async function checkPassword(
  { attempts, turnstile }: Pick<AccountService, 'attempts' | 'turnstile'>,
  visit: Visit,
  account: { uid: string; hash: string | null },
  password: string,
  { limit, subject, byClient, right: ofRight = [] }: Counted,
): Promise<AccountServiceCode | null> {
  const ofClient = clientAttempt(visit, attemptLimits.passwordByClient)
  const compare = async (): Promise<AccountServiceCode | 'right'> => {
    const within = byClient
      ? await attempts.takeBeside({ limit, subject }, ofClient)
      : await attempts.take(limit, subject)
    // Everyone shares the demo password, so wrong ones must not lock out whoever types the right one.
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
