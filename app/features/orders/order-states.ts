/**
 * Orders, payments, refunds and refund requests are four small state machines. Each table lists the
 * transitions that exist and who may cause them. A transition that is not in a table is ignored if
 * the payment provider reports it, and refused or an error otherwise.
 */

/**
 * Who causes a transition. `provider` is a status that the payment provider reports. `sweep` is the
 * background job, because time has passed.
 */
export type Initiator = 'learner' | 'provider' | 'operator' | 'sweep'

type Transitions<State extends string> = Record<State, Partial<Record<State, readonly Initiator[]>>>

export type OrderState = 'open' | 'processing' | 'paid' | 'refunded' | 'canceled'

export const orderTransitions: Transitions<OrderState> = {
  open: {
    processing: ['provider'],
    paid: ['provider', 'operator', 'learner'],
    canceled: ['learner', 'sweep', 'provider'],
  },
  // A bank debit is on its way. If it fails, the order can be paid in another way.
  // If it succeeds after the account was deleted, the money goes back.
  processing: { open: ['provider'], paid: ['provider', 'operator'], canceled: ['provider'] },
  paid: { refunded: ['provider', 'operator'] },
  // A late payment or bank transfer revives an order that was given up.
  canceled: { paid: ['provider', 'operator'] },
  // The school may win a dispute.
  refunded: { paid: ['provider'] },
}

export type PaymentState = 'started' | 'processing' | 'succeeded' | 'failed' | 'expired'

export const paymentTransitions: Transitions<PaymentState> = {
  started: {
    processing: ['provider'],
    succeeded: ['provider', 'operator'],
    failed: ['provider'],
    expired: ['provider'],
  },
  processing: { succeeded: ['provider'], failed: ['provider'] },
  // The status that the provider reports is final, so a late success counts.
  failed: { succeeded: ['provider'] },
  expired: { succeeded: ['provider'] },
  succeeded: {},
}

type RefundState = 'requested' | 'pending' | 'succeeded' | 'failed'

export const refundTransitions: Transitions<RefundState> = {
  requested: { pending: ['provider'], succeeded: ['provider', 'operator'], failed: ['provider'] },
  pending: { succeeded: ['provider'], failed: ['provider'] },
  // A bank may send a refund back weeks later.
  succeeded: { failed: ['provider'] },
  failed: {},
}

export type RefundRequestState = 'stated' | 'asked' | 'granted' | 'declined'

/** A withdrawal in time is granted by the learner's own confirmation. */
export const refundRequestTransitions: Transitions<RefundRequestState> = {
  stated: { asked: ['learner'], granted: ['learner'] },
  asked: { granted: ['operator', 'provider'], declined: ['operator'] },
  // The refund has failed, so staff have to decide again.
  granted: { asked: ['provider'] },
  declined: {},
}

/** Tells whether a transition exists and the initiator may cause it. Staying is no transition. */
export function canTransition<State extends string>(
  transitions: Transitions<State>,
  from: State,
  to: State,
  initiator: Initiator,
): boolean {
  return transitions[from][to]?.includes(initiator) ?? false
}
