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
    // The learner pays with a coupon that leaves nothing to pay. Staff confirm a bank transfer.
    paid: ['provider', 'staff', 'learner'],
    canceled: ['learner', 'job', 'provider'],
  },
  // A bank debit is on its way. If it fails, the order is open again, and can be paid in another way. If
  // it succeeds after the account was deleted, the order is canceled and the money goes back.
  processing: { open: ['provider'], paid: ['provider', 'staff'], canceled: ['provider'] },
  paid: { refunded: ['provider', 'staff'] },
  // A late payment or bank transfer revives an order that was given up.
  canceled: { paid: ['provider', 'staff'] },
  // The school may win a dispute.
  refunded: { paid: ['provider'] },
}

export type PaymentState = 'started' | 'processing' | 'succeeded' | 'failed' | 'expired'

export const paymentTransitions: Transitions<PaymentState> = {
  started: {
    processing: ['provider'],
    succeeded: ['provider', 'staff'],
    failed: ['provider'],
    expired: ['provider'],
  },
  processing: { succeeded: ['provider'], failed: ['provider'] },
  // A success counts, even if the provider reports it late.
  failed: { succeeded: ['provider'] },
  expired: { succeeded: ['provider'] },
  succeeded: {},
}

type RefundState = 'requested' | 'pending' | 'succeeded' | 'failed'

export const refundTransitions: Transitions<RefundState> = {
  requested: { pending: ['provider'], succeeded: ['provider', 'staff'], failed: ['provider'] },
  pending: { succeeded: ['provider'], failed: ['provider'] },
  // A bank may send a refund back weeks later.
  succeeded: { failed: ['provider'] },
  failed: {},
}

export type RefundRequestState =
  /** The learner has not confirmed the request yet. */
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
 * Tells whether a transition exists and the initiator may cause it. It is false if both states are
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
