import type { OrderStatus, RefundRequestStatus } from '../order-statuses'

/**
 * The two kinds of refund requests. A `withdrawal` is a legal right, which needs no reason and no
 * decision. A `refund` is a goodwill refund, about which a member of staff decides.
 */
export const refundKinds = ['withdrawal', 'refund'] as const
export type RefundKind = (typeof refundKinds)[number]

/** How many days after the payment each kind can be requested. 0 switches the kind off. */
export type RefundPeriods = Record<RefundKind, number>

/** The days of an order. They are null if the order does not store them. */
export type OrderRefundDays = { withdrawalDays: number | null; refundDays: number | null }

/**
 * Returns the periods that count for an order. An order stores their days at checkout, so that a
 * later change of the school's rule does not take away what its buyer was promised.
 */
export function getRefundPeriods(
  order: OrderRefundDays,
  currentPeriods: RefundPeriods,
): RefundPeriods {
  return {
    withdrawal: order.withdrawalDays ?? currentPeriods.withdrawal,
    refund: order.refundDays ?? currentPeriods.refund,
  }
}

/** What decides whether and how a learner can get money back for an order. */
export type RefundConditions = OrderRefundDays & {
  status: OrderStatus
  paidAt: Date | null
  /** Whether the buyer gave up the right of withdrawal at checkout. */
  isWithdrawalWaived: boolean
  /** The part of the payment that is neither given back nor on its way back. */
  remainingMinor: number
  requests: readonly { kind: RefundKind; status: RefundRequestStatus }[]
}

type RefundOption = {
  kind: RefundKind
  /** The last day on which the money can be requested, at the time of day of the payment. */
  lastDay: Date
}

const dayMs = 24 * 60 * 60_000

/**
 * Lists how a learner can get money back at a given time. A refund can be requested only once. A
 * withdrawal stays possible even after staff have declined a refund.
 *
 * @param currentPeriods count for an order that does not store its days
 */
export function listRefundOptions(
  conditions: RefundConditions,
  currentPeriods: RefundPeriods,
  at: Date,
): RefundOption[] {
  const { status, paidAt, remainingMinor } = conditions
  if (status !== 'paid' || paidAt === null || remainingMinor <= 0) {
    return []
  }

  if (hasConfirmedRequest(conditions, 'withdrawal')) {
    return []
  }

  const periods = getRefundPeriods(conditions, currentPeriods)
  const isAllowed = {
    withdrawal: !conditions.isWithdrawalWaived,
    refund: !hasConfirmedRequest(conditions, 'refund'),
  }

  return refundKinds
    .filter((kind) => periods[kind] > 0 && isAllowed[kind])
    .map((kind) => ({ kind, lastDay: addDays(paidAt, periods[kind]) }))
    .filter(({ lastDay }) => at < getEndOfLastDay(lastDay))
}

function hasConfirmedRequest({ requests }: RefundConditions, kind: RefundKind): boolean {
  return requests.some((request) => request.kind === kind && request.status !== 'stated')
}

/** The day of the payment does not count, and the last day counts completely in every time zone. */
function getEndOfLastDay(lastDay: Date): Date {
  return addDays(lastDay, 1)
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}

/** How many days the link in an email can confirm a request. */
export const confirmWithinDays = 7

/** Tells whether the link in the email can no longer confirm a request. */
export function isExpired(request: { requestedAt: Date }, at: Date): boolean {
  return at >= addDays(request.requestedAt, confirmWithinDays)
}

/** The limits of the form in which somebody asks for their money back. */
export const maxOrderNumberLength = 40
export const maxRefundReasonLength = 1000
