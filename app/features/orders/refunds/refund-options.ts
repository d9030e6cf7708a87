import type { OrderState, RefundRequestState } from '../order-states'

/**
 * Learners can get money back in two ways. A withdrawal is a legal right, which needs no reason and
 * no decision. A refund is goodwill: a member of staff decides about it.
 */
export const refundKinds = ['withdrawal', 'refund'] as const
export type RefundKind = (typeof refundKinds)[number]

/** For how many days after the payment each kind can be requested; 0 switches the kind off. */
export type RefundDays = Record<RefundKind, number>

/** What decides about the ways to get money back for an order. */
export type RefundFacts = {
  state: OrderState
  paidAt: Date | null
  /** The buyer gave up the right of withdrawal at checkout. */
  isWithdrawalWaived: boolean
  /** The part of the payment that is neither given back nor on its way back. */
  remainingMinor: number
  requests: readonly { kind: RefundKind; state: RefundRequestState }[]
}

/** `lastDay` has the time of day of the payment. */
type RefundOption = { kind: RefundKind; lastDay: Date }

const dayMs = 24 * 60 * 60_000

/**
 * Lists how a learner can get money back at a given time. A refund can be requested only once. A
 * withdrawal stays possible even after staff have declined a refund.
 */
export function listRefundOptions(facts: RefundFacts, days: RefundDays, at: Date): RefundOption[] {
  const { state, paidAt, remainingMinor } = facts
  if (state !== 'paid' || paidAt === null || remainingMinor <= 0) {
    return []
  }

  if (hasConfirmedRequest(facts, 'withdrawal')) {
    return []
  }

  const isAllowed = {
    withdrawal: !facts.isWithdrawalWaived,
    refund: !hasConfirmedRequest(facts, 'refund'),
  }

  return refundKinds
    .filter((kind) => days[kind] > 0 && isAllowed[kind])
    .map((kind) => ({ kind, lastDay: addDays(paidAt, days[kind]) }))
    .filter(({ lastDay }) => at < getEndOfLastDay(lastDay))
}

function hasConfirmedRequest({ requests }: RefundFacts, kind: RefundKind): boolean {
  return requests.some((request) => request.kind === kind && request.state !== 'stated')
}

/** The day of the payment does not count, and the last day counts completely in every time zone. */
function getEndOfLastDay(lastDay: Date): Date {
  return addDays(lastDay, 1)
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}

/** For how many days the link in an email can confirm a request. */
export const confirmWithinDays = 7

/** Tells whether the link in the email can no longer confirm a request. */
export function isExpired(request: { statedAt: Date }, at: Date): boolean {
  return at >= addDays(request.statedAt, confirmWithinDays)
}

/** The longest reason that a learner can give. */
export const maxRefundReasonLength = 1000
