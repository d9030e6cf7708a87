import type { OrderState, RefundRequestState } from '../order-states'

/**
 * `refund`: an operator decides. `withdrawal`: a right of the learner, which needs no reason and no
 * decision.
 */
export const refundKinds = ['withdrawal', 'refund'] as const
export type RefundKind = (typeof refundKinds)[number]

/** How many days after the payment each may be asked for; 0 for never. */
export type RefundDays = Record<RefundKind, number>

/** What decides whether an order's money may be asked back. */
export type RefundFacts = {
  state: OrderState
  paidAt: Date | null
  /** The box at checkout gave up the right of withdrawal. */
  isWaived: boolean
  /** Paid, and neither given back nor on its way back, in the currency's smallest unit. */
  leftMinor: number
  requests: readonly { kind: RefundKind; state: RefundRequestState }[]
}

/** `lastDay`: at the time of day of the payment. */
export type RefundChance = { kind: RefundKind; lastDay: Date }

const dayMs = 24 * 60 * 60_000

/**
 * What a learner may ask for at a time. A refund is asked for once; a withdrawal is a right even
 * after an operator has declined a refund.
 */
export function listRefundChances(facts: RefundFacts, days: RefundDays, at: Date): RefundChance[] {
  const { state, paidAt, isWaived, leftMinor, requests } = facts
  if (state !== 'paid' || !paidAt || leftMinor <= 0) {
    return []
  }

  const isAnswered = (kind: RefundKind) =>
    requests.some((request) => request.kind === kind && request.state !== 'stated')
  if (isAnswered('withdrawal')) {
    return []
  }

  return refundKinds.flatMap((kind) => {
    const lastDay = addDays(paidAt, days[kind])
    // The day of the payment isn't counted and the last one is whole, in every time zone.
    const isOpen =
      days[kind] > 0 &&
      at < addDays(lastDay, 1) &&
      !(kind === 'withdrawal' ? isWaived : isAnswered('refund'))
    return isOpen ? [{ kind, lastDay }] : []
  })
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}

/** How long the link in a mail confirms what was stated. */
export const confirmWithinDays = 7

export function isFresh({ statedAt }: { statedAt: Date }, at: Date): boolean {
  return at < addDays(statedAt, confirmWithinDays)
}
