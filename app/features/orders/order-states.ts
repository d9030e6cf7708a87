/**
 * Orders, payments, refunds and refund requests are four small state machines. Each table lists the
 * transitions that exist and who may cause them. A transition that is not in a table is ignored if
 * the payment provider reports it, and refused or an error otherwise.
 */

/** Who causes a transition. */
export type Initiator =
  | 'learner'
  /** The payment provider reports a status. */
  | 'provider'
  /** A member of staff at the desk, or an operator in a terminal. */
  | 'staff'
  /** The background job cancels orders that nobody pays any more. */
  | 'job'

/** Lists, for each state, the states that can follow it and who may cause the change. */
type Transitions<State extends string> = Record<State, Partial<Record<State, readonly Initiator[]>>>

export type OrderState = 'open' | 'processing' | 'paid' | 'refunded' | 'canceled'

export const orderTransitions: Transitions<OrderState> = {
  open: {
    processing: ['provider'],
    paid: ['provider', 'staff', 'learner'],
    canceled: ['learner', 'job', 'provider'],
  },
  // A bank debit is on its way. If it fails, the order can be paid in another way.
  // If it succeeds after the account was deleted, the money goes back.
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
  // The learner's confirmation grants a withdrawal at once, because it is the learner's right.
  stated: { asked: ['learner'], granted: ['learner'] },
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
