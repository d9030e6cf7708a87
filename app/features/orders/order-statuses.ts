/**
 * Orders, payments, refunds and refund requests are four small state machines. The first status of
 * each type below is the one in which a row is created.
 *
 * Each table lists the transitions that exist, and who may cause them. The callers check everything
 * else, for example that an order costs nothing before its learner makes it paid. If the payment
 * provider reports a transition that is not in a table, the callers ignore the report. If a person
 * asks for such a transition, the callers refuse the action.
 *
 * A refund of a part of the amount changes only the refund. The order stays paid.
 */

/** Who causes a transition. */
export type Initiator =
  | 'learner'
  /**
   * The payment provider reports the status of a payment or refund. Money that staff have sent back
   * by bank transfer counts as such a report, too.
   */
  | 'provider'
  /** A member of staff at the desk, or an operator in a terminal. */
  | 'staff'
  /** The background job that cancels orders which were not paid in time. */
  | 'expiry-job'

/** Lists, for each status, the statuses that can follow it and who may cause the change. */
type Transitions<Status extends string> = Record<
  Status,
  Partial<Record<Status, readonly Initiator[]>>
>

export type OrderStatus = 'open' | 'processing' | 'paid' | 'refunded' | 'canceled'

export const orderTransitions: Transitions<OrderStatus> = {
  open: {
    processing: ['provider'],
    // Staff confirm a bank transfer. A learner whose coupon leaves nothing to pay gets the course
    // at once.
    paid: ['provider', 'staff', 'learner'],
    // The order was not paid in time. Or it was paid, but can't be fulfilled any more, so that the
    // money goes back.
    canceled: ['expiry-job', 'provider'],
  },
  // A bank debit is on its way.
  processing: {
    // The debit has failed, so the learner can pay in another way.
    open: ['provider'],
    // Staff may confirm a bank transfer meanwhile. If the debit succeeds as well, its payment is
    // refunded, and the order stays paid.
    paid: ['provider', 'staff'],
    // The debit has succeeded after the account was deleted, so the money goes back.
    canceled: ['provider'],
  },
  // Staff end the access of an order that was free. Any other order becomes refunded when its money
  // has gone back.
  paid: { refunded: ['provider', 'staff'] },
  // A payment or bank transfer may arrive after the order was canceled.
  canceled: { paid: ['provider', 'staff'] },
  // A refund has failed after it had succeeded, or the school has won a dispute.
  refunded: { paid: ['provider'] },
}

export type PaymentStatus = 'started' | 'processing' | 'succeeded' | 'failed' | 'expired'

/**
 * A bank transfer is not in this table, because it is stored as succeeded when staff confirm it.
 */
export const paymentTransitions: Transitions<PaymentStatus> = {
  started: {
    processing: ['provider'],
    succeeded: ['provider'],
    failed: ['provider'],
    expired: ['provider'],
  },
  processing: { succeeded: ['provider'], failed: ['provider'] },
  // A success counts even if the provider reports it late.
  failed: { succeeded: ['provider'] },
  expired: { succeeded: ['provider'] },
  succeeded: {},
}

type RefundStatus =
  /** The refund is stored, and has not been sent to the provider yet. */
  | 'requested'
  /** The provider has accepted the refund, and the money is on its way. */
  | 'pending'
  | 'succeeded'
  | 'failed'

export const refundTransitions: Transitions<RefundStatus> = {
  requested: { pending: ['provider'], succeeded: ['provider'], failed: ['provider'] },
  pending: { succeeded: ['provider'], failed: ['provider'] },
  // A bank may send a refund back weeks later.
  succeeded: { failed: ['provider'] },
  // Another attempt is another refund.
  failed: {},
}

export type RefundRequestStatus =
  /** Somebody who is not signed in made the request, and has not opened its emailed link yet. */
  | 'stated'
  /** The request waits for staff. */
  | 'asked'
  | 'granted'
  | 'declined'

export const refundRequestTransitions: Transitions<RefundRequestStatus> = {
  // The learner's confirmation grants a withdrawal at once, because it is a legal right. Any other
  // request waits for staff.
  stated: { asked: ['learner'], granted: ['learner'] },
  // Staff may start the refund on the provider's own pages. The provider then reports it.
  asked: { granted: ['staff', 'provider'], declined: ['staff'] },
  // The refund has failed, so staff have to decide again.
  granted: { asked: ['provider'] },
  declined: {},
}

/**
 * Returns whether a transition exists and the initiator may cause it. No table has a transition
 * from a status to itself.
 */
export function canTransition<Status extends string>(
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
  initiator: Initiator,
): boolean {
  return transitions[from][to]?.includes(initiator) ?? false
}
