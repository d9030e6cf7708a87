/**
 * Guessing coupon codes is limited per account and per client. An attempt is counted before the code
 * is looked up, and given back if the code exists, so that parallel requests can't guess more.
 */
import type { AccountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { clientAttempt, type RequestContext } from '~/features/accounts/session/session.server'

export type CodeGuard = { attempts: AccountService['attempts']; requestContext: RequestContext }

export type CodeAttempt = { giveBack(): Promise<void> }

/** Counts an attempt. @returns null if there were too many */
export async function takeCodeAttempt(
  { attempts, requestContext }: CodeGuard,
  uid: string,
): Promise<CodeAttempt | null> {
  const counters = [
    { limit: attemptLimits.codeByAccount, subject: uid },
    clientAttempt(requestContext, attemptLimits.codeByClient),
  ]
  if (!(await attempts.takeEach(counters))) {
    return null
  }

  return {
    async giveBack() {
      for (const { limit, subject } of counters) {
        await attempts.giveBack(limit, subject)
      }
    },
  }
}
