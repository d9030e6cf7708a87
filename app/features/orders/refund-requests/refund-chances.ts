import type { OrderState, RefundRequestState } from '../order-states'

/** `refund`: an operator decides. `withdrawal`: a right of the learner, which needs no reason and no decision. */
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

export type RefundChance = { kind: RefundKind; until: Date }

const dayMs = 24 * 60 * 60_000

/**
 * What a learner may ask for at a time. A refund is asked for once; a withdrawal is a right even after an operator has
 * declined a refund.
 */
export function listRefundChances(facts: RefundFacts, days: RefundDays, at: Date): RefundChance[] {
  const { state, paidAt, isWaived, leftMinor, requests } = facts
  if (state !== 'paid' || !paidAt || leftMinor <= 0) return []
  const isAnswered = (kind: RefundKind) =>
    requests.some((request) => request.kind === kind && request.state !== 'stated')
  if (isAnswered('withdrawal')) return []
  return refundKinds.flatMap((kind) => {
    const until = endOf(paidAt, days[kind])
    const isOpen = days[kind] > 0 && at < until && !(kind === 'withdrawal' ? isWaived : isAnswered('refund'))
    return isOpen ? [{ kind, until }] : []
  })
}

/** The day of the payment isn't counted and the last one is whole, in every time zone. */
function endOf(paidAt: Date, days: number): Date {
  return new Date(paidAt.getTime() + (days + 1) * dayMs)
}

/** How long the link in a mail confirms what was stated. */
export const confirmWithinDays = 7

export function isFresh({ statedAt }: { statedAt: Date }, at: Date): boolean {
  return at.getTime() < statedAt.getTime() + confirmWithinDays * dayMs
}
