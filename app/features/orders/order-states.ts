/**
 * Orders, payments, refunds and refund requests are four small state machines. Each table lists the
 * transitions that exist and who may cause them. If the payment provider reports a transition that is not
 * in a table, it is ignored. If a person asks for one, the action is refused.
 *
 * A refund of a part of the amount changes only the refund. The order stays paid.
 */

/** Who causes a transition. */
export type Initiator =
  | 'learner'
  /** The payment provider reports a status. */
  | 'provider'
  /** A member of staff at the desk, or an operator in a terminal. */
  | 'staff'
  /** The background job cancels orders that were not paid in time. */
  | 'job'

/** Lists, for each state, the states that can follow it and who may cause the change. */
type Transitions<State extends string> = Record<State, Partial<Record<State, readonly Initiator[]>>>

export type OrderState = 'open' | 'processing' | 'paid' | 'refunded' | 'canceled'

export const orderTransitions: Transitions<OrderState> = {
  open: {
    processing: ['provider'],
    // Staff confirm a bank transfer. A learner whose coupon leaves nothing to pay gets the course at once.
    paid: ['provider', 'staff', 'learner'],
    // The order was not paid in time, or its payment has to go back.
    canceled: ['job', 'provider'],
  },
  // A bank debit is on its way.
  processing: {
    // The debit has failed, so the learner can pay in another way.
    open: ['provider'],
    // Staff may confirm a bank transfer meanwhile. A debit that also succeeds is then refunded.
    paid: ['provider', 'staff'],
    // The debit has succeeded after the account was deleted, so the money goes back.
    canceled: ['provider'],
  },
  // Staff end the access of a free order. Any other order is refunded by the provider.
  paid: { refunded: ['provider', 'staff'] },
  // A payment or bank transfer may arrive after the order was canceled.
  canceled: { paid: ['provider', 'staff'] },
  // A refund has failed after all, or the school has won a dispute.
  refunded: { paid: ['provider'] },
}

export type PaymentState = 'started' | 'processing' | 'succeeded' | 'failed' | 'expired'

/** A bank transfer is not in this table, because it is stored as succeeded when staff confirm it. */
export const paymentTransitions: Transitions<PaymentState> = {
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

type RefundState =
  /** The refund is stored, and has not been sent to the provider yet. */
  | 'requested'
  /** The provider has accepted the refund, and the money is on its way. */
  | 'pending'
  | 'succeeded'
  | 'failed'

export const refundTransitions: Transitions<RefundState> = {
  requested: { pending: ['provider'], succeeded: ['provider'], failed: ['provider'] },
  pending: { succeeded: ['provider'], failed: ['provider'] },
  // A bank may send a refund back weeks later.
  succeeded: { failed: ['provider'] },
  failed: {},
}

export type RefundRequestState =
  /** Somebody who is not signed in made the request, and has not opened its emailed link yet. */
  | 'stated'
  /** The request waits for staff. */
  | 'asked'
  | 'granted'
  | 'declined'

export const refundRequestTransitions: Transitions<RefundRequestState> = {
  // A withdrawal is a legal right, so the learner's confirmation grants it at once.
  stated: { asked: ['learner'], granted: ['learner'] },
  // The provider grants a request if staff start a refund there.
  asked: { granted: ['staff', 'provider'], declined: ['staff'] },
  // The refund has failed, so staff have to decide again.
  granted: { asked: ['provider'] },
  declined: {},
}

/**
 * Returns whether a transition exists and the initiator may cause it. It is false if both states are
 * the same.
 */
export function canTransition<State extends string>(
  transitions: Transitions<State>,
  from: State,
  to: State,
  initiator: Initiator,
): boolean {
  return transitions[from][to]?.includes(initiator) ?? false
}
