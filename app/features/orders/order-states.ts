/**
 * Orders, payments, refunds and requests for them are four small state machines. Each table says
 * which moves exist and who may make them; a move that is not in it is a mistake of ours, or of the
 * provider, and changes nothing.
 */

/**
 * `provider`: what the provider said when it was asked. `sweep`: the background job, because time
 * has passed.
 */
export type Initiator = 'learner' | 'provider' | 'operator' | 'sweep'

type Moves<State extends string> = Record<State, Partial<Record<State, readonly Initiator[]>>>

export type OrderState = 'open' | 'processing' | 'paid' | 'refunded' | 'canceled'

export const orderTransitions: Moves<OrderState> = {
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

export const paymentTransitions: Moves<PaymentState> = {
  started: {
    processing: ['provider'],
    succeeded: ['provider', 'operator'],
    failed: ['provider'],
    expired: ['provider'],
  },
  processing: { succeeded: ['provider'], failed: ['provider'] },
  // The provider's word is final: a late success counts.
  failed: { succeeded: ['provider'] },
  expired: { succeeded: ['provider'] },
  succeeded: {},
}

type RefundState = 'requested' | 'pending' | 'succeeded' | 'failed'

export const refundTransitions: Moves<RefundState> = {
  requested: { pending: ['provider'], succeeded: ['provider', 'operator'], failed: ['provider'] },
  pending: { succeeded: ['provider'], failed: ['provider'] },
  // A bank may send a refund back weeks later.
  succeeded: { failed: ['provider'] },
  failed: {},
}

export type RefundRequestState = 'stated' | 'asked' | 'granted' | 'declined'

/** A withdrawal in time is granted by the learner's own confirmation. */
export const refundRequestTransitions: Moves<RefundRequestState> = {
  stated: { asked: ['learner'], granted: ['learner'] },
  asked: { granted: ['operator', 'provider'], declined: ['operator'] },
  // The money did not get through: an operator has to look.
  granted: { asked: ['provider'] },
  declined: {},
}

/** @returns whether the move exists and `by` may make it; staying is no move. */
export function canTransition<State extends string>(
  moves: Moves<State>,
  from: State,
  to: State,
  by: Initiator,
): boolean {
  return moves[from][to]?.includes(by) ?? false
}
