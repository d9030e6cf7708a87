import type { AccountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { clientAttempt, type RequestContext } from '~/features/accounts/session/session.server'
import type { Database } from '~/server/database/client.server'
import type { BegunOrder } from '../purchases/purchase-queries.server'
import { applyCoupon, type CouponUse } from './apply-coupon.server'
import { codePattern, type Quote } from './coupon'
import { couponProblems, tooManyCodes } from './coupon-texts'

/** Where codes are typed: what limits guessing. */
export type Guessing = { attempts: AccountService['attempts']; requestContext: RequestContext }

/**
 * What the course costs with the code. Codes that don't exist are counted, by account and by
 * client, so that guessing ends soon.
 *
 * @param use.code as `normalizeCode` writes it; '' for none.
 * @param begun an order that is open at the provider, whose price and coupon stay as they were
 * shown.
 */
export async function quotePrice(
  db: Database,
  { attempts, requestContext }: Guessing,
  use: CouponUse,
  begun: BegunOrder | null,
): Promise<Quote> {
  const { code, uid, priceMinor } = use
  if (begun?.bound && (begun.couponCode ?? '') === code) {
    const { listMinor, totalMinor } = begun.bound
    return {
      priceMinor: listMinor,
      code,
      coupon: code ? { code, totalMinor } : null,
      problem: null,
    }
  }

  if (code === '') {
    return { priceMinor, code, coupon: null, problem: null }
  }

  const counted = [
    { limit: attemptLimits.codeByAccount, subject: uid },
    clientAttempt(requestContext, attemptLimits.codeByClient),
  ]
  if (!(await attempts.takeEach(counted))) {
    return { priceMinor, code, coupon: null, problem: tooManyCodes }
  }

  const applied = codePattern.test(code)
    ? await applyCoupon(db, use)
    : { problem: 'unknown' as const }
  const isKnown = !('problem' in applied) || applied.problem !== 'unknown'
  if (isKnown) {
    for (const { limit, subject } of counted) {
      await attempts.giveBack(limit, subject)
    }
  }

  if ('problem' in applied) {
    return { priceMinor, code, coupon: null, problem: couponProblems[applied.problem] }
  }

  return { priceMinor, code, coupon: applied, problem: null }
}
