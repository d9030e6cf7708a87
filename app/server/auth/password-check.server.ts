import type { AccountServiceCode } from './account-codes'
import type { AccountServiceParts } from './account-service-parts.server'
import { type AttemptLimit, attemptLimits } from './attempt-limits.server'
import { demoUid } from './demo-account.server'
import { PasswordsBusy, verifyPassword } from './passwords.server'

/** What a wrong password counts against: the limit's subject and, for strangers, the address. */
export type Counted = { limit: AttemptLimit; subject: string; byAddress: boolean }

/**
 * Compares a password with the account's, one attempt at a time. Only wrong ones count against the address, so that a
 * class behind one address may sign in at the same moment; the account's count is taken before the comparison, so that
 * parallel attempts cannot slip through.
 *
 * @param hash null for an account without a password, whose every password is wrong.
 * @returns null if it is right, or the refusal.
 */
export async function checkPassword(
  parts: Pick<AccountServiceParts, 'attempts' | 'turnstile' | 'address' | 'addressFactor'>,
  account: { uid: string; hash: string | null },
  password: string,
  { limit, subject, byAddress }: Counted,
): Promise<AccountServiceCode | null> {
  const { attempts, turnstile } = parts
  const ofAddress = [attemptLimits.passwordByAddress, parts.address(), parts.addressFactor()] as const
  const compare = async (): Promise<AccountServiceCode | 'right'> => {
    if (byAddress && !(await attempts.hasRoom(...ofAddress))) return 'too-many-requests'
    const within = await attempts.take(limit, subject)
    // The demo account's password is everybody's: wrong ones must not lock out whoever types the right one.
    if (!within && account.uid !== demoUid) return 'too-many-requests'
    if (account.hash && (await verifyPassword(password, account.hash))) {
      await attempts.clear(limit, subject)
      return 'right'
    }
    const room = !byAddress || (await attempts.take(...ofAddress))
    return within && room ? 'wrong-password' : 'too-many-requests'
  }
  try {
    const answer = (await turnstile.pass(`${limit.name}:${subject}`, compare)) ?? 'too-many-requests'
    return answer === 'right' ? null : answer
  } catch (error) {
    if (error instanceof PasswordsBusy) return 'busy'
    throw error
  }
}
