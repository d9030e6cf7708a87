/**
 * The page of an order: the actions that refund, mark or end it, and everything that happened to
 * it.
 */
import { eq } from 'drizzle-orm'
import { resendGiftAsStaff } from '~/features/orders/gifts/gift-orders.server'
import { currentShop } from '~/features/orders/open-shop.server'
import { endFreeOrder, markOrderPaid } from '~/features/orders/order-actions.server'
import { orderStaffActions } from '~/features/orders/order-change.server'
import {
  findOrderHistory,
  gatherDisputeEvidence,
  type OrderHistory,
} from '~/features/orders/order-history.server'
import {
  declineRefundRequest,
  grantRefundRequests,
  refundOrder,
} from '~/features/orders/refunds/refund-actions.server'
import { findRemainingToRefund } from '~/features/orders/refunds/remaining-amount.server'
import type { Shop } from '~/features/orders/shop.server'
import { formatMoney } from '~/features/school/money'
import { recordAccountView } from '~/features/staff/audit.server'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema'
import { failure, type Result } from '~/server/result'
import { type DeskAction, readText } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'

/** The actions of an order's page. */
export const orderActions = {
  refund: {
    ...orderStaffActions.refund,
    perform: (request) =>
      withShop((shop) =>
        refundOrder(request.actionContext, shop, {
          orderId: getOrderId(request),
          enteredAmount: readText(request, 'amount'),
          reason: readText(request, 'reason'),
          displayedRemainingMinor: readText(request, 'left'),
        }),
      ),
  },
  grant: {
    ...orderStaffActions.grantRefund,
    perform: (request) =>
      withShop((shop) =>
        grantRefundRequests(request.actionContext, shop, {
          orderId: getOrderId(request),
          enteredAmount: readText(request, 'amount'),
          displayedRemainingMinor: readText(request, 'left'),
        }),
      ),
  },
  decline: {
    ...orderStaffActions.declineRefund,
    perform: (request) =>
      declineRefundRequest(request.actionContext, {
        orderId: getOrderId(request),
        reason: readText(request, 'reason'),
      }),
  },
  'mark-paid': {
    ...orderStaffActions.markPaid,
    perform: (request) =>
      withShop((shop) => markOrderPaid(request.actionContext, shop, getOrderId(request))),
  },
  end: {
    ...orderStaffActions.end,
    perform: (request) =>
      endFreeOrder(request.actionContext, {
        orderId: getOrderId(request),
        reason: readText(request, 'reason'),
      }),
  },
  'resend-gift': {
    ...orderStaffActions.resendGift,
    perform: (request) =>
      resendGiftAsStaff(request.actionContext, {
        orderId: getOrderId(request),
        email: readText(request, 'to'),
      }),
  },
} satisfies Record<string, DeskAction>

function getOrderId({ params }: Pick<DeskRequest, 'params'>): string {
  if (params.order === undefined) {
    throw new Error('The route of an order has the parameter "order".')
  }

  return params.order
}

/** Performs an action that needs the shop. Fails if the school sells nothing. */
async function withShop<Value>(
  perform: (shop: Shop) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  if (currentShop === null) {
    return failure('Payments are off. An owner turns them on under Site.')
  }

  return perform(currentShop)
}

/** Loads an order with everything that happened to it. Returns null if there is no such order. */
export async function loadOrderPage(request: DeskRequest) {
  const { db, staff } = request
  const orderId = getOrderId(request)

  const history = await findOrderHistory(db, orderId)
  const remainingMinor = await findRemainingToRefund(db, orderId)
  if (history === null || remainingMinor === null) {
    return null
  }

  const { order, gift, refundRequests, refunds } = history
  const waitingRequests = refundRequests.filter(({ status }) => status === 'asked')
  const disputeRefunds = refunds.filter(({ reason }) => reason.startsWith('dispute'))
  const learner = order.uid === null ? null : await findLearner(db, order.uid)
  if (learner) {
    await recordAccountView(db, staff.uid, learner.uid)
  }

  return {
    order: { ...order, total: formatMoney(order.totalMinor, order.currency) },
    learner,
    remaining: { minor: remainingMinor, text: formatMoney(remainingMinor, order.currency) },
    waitingRequests: waitingRequests.map(({ kind, reason }) => ({ kind, reason })),
    evidence: await gatherDisputeEvidence(db, order),
    timeline: createTimeline(history),
    gift: gift && {
      recipient: gift.recipientEmail,
      redeemedAt: gift.redeemedAt,
      canBeResent: order.status === 'paid' && gift.redeemedAt === null && order.uid !== null,
    },
    disputes: disputeRefunds.map(({ reason }) => reason),
    hasShop: currentShop !== null,
  }
}

async function findLearner(db: Database, uid: string) {
  const [learner] = await db
    .select({ uid: users.id, name: users.name })
    .from(users)
    .where(eq(users.id, uid))

  return learner ?? null
}

type TimelineEntry = {
  id: string
  at: Date
  text: string
  /** The amount with its currency, or an empty text. */
  amount: string
  /** The status of a payment, refund or request, or an empty text. */
  status: string
}

/** Lists everything that happened to an order, oldest first. */
function createTimeline(history: OrderHistory): TimelineEntry[] {
  const { order, payments, refunds, receipts, paymentEvents, refundRequests } = history
  const formatAmount = (amountMinor: number) => formatMoney(amountMinor, order.currency)

  const entries: TimelineEntry[] = [
    ...listMilestones(history),
    ...refundRequests.map(({ id, requestedAt, kind, status, reason }) => ({
      id,
      at: requestedAt,
      text:
        kind === 'withdrawal'
          ? 'The learner withdrew'
          : `The learner asked for a refund: ${reason}`,
      amount: '',
      status,
    })),
    ...payments.map(({ id, settledAt, createdAt, provider, amountMinor, status }) => ({
      id,
      at: settledAt ?? createdAt,
      text: `Payment by ${provider}`,
      amount: formatAmount(amountMinor),
      status,
    })),
    ...refunds.map(({ id, settledAt, createdAt, amountMinor, status, reason }) => ({
      id,
      at: settledAt ?? createdAt,
      text: `Refund: ${reason}`,
      amount: formatAmount(-amountMinor),
      status,
    })),
    ...receipts.map(({ number, document, issuedAt }) => ({
      id: `receipt-${number}`,
      at: issuedAt,
      text: document.kind === 'receipt' ? `Receipt ${number}` : `Credit note ${number}`,
      amount: formatAmount(document.totalMinor),
      status: '',
    })),
    ...paymentEvents.map(({ id, receivedAt, type, failedAt }) => ({
      id,
      at: receivedAt,
      text: `Event ${type}`,
      amount: '',
      status: failedAt ? 'can’t be handled' : '',
    })),
  ]

  return entries.toSorted((first, second) => first.at.getTime() - second.at.getTime())
}

/** Lists the events that can happen to an order at most once. */
function listMilestones({ order, gift }: OrderHistory): TimelineEntry[] {
  const milestones: TimelineEntry[] = [
    {
      id: 'ordered',
      at: order.createdAt,
      text: describeOrder(order),
      amount: formatMoney(order.totalMinor, order.currency),
      status: '',
    },
  ]

  if (gift?.redeemedAt) {
    const text = 'The gift was redeemed'
    milestones.push({ id: 'redeemed', at: gift.redeemedAt, text, amount: '', status: '' })
  }

  if (order.endedAt) {
    const text = 'The access was ended'
    milestones.push({ id: 'ended', at: order.endedAt, text, amount: '', status: '' })
  }

  return milestones
}

function describeOrder({ isGift, couponCode }: OrderHistory['order']): string {
  if (couponCode) {
    return isGift
      ? `Ordered as a gift, with coupon ${couponCode}`
      : `Ordered with coupon ${couponCode}`
  }

  return isGift ? 'Ordered as a gift' : 'Ordered'
}

export type OrderPageData = NonNullable<Awaited<ReturnType<typeof loadOrderPage>>>
