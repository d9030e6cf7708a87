import { eq } from 'drizzle-orm'
import { resendGiftAsStaff } from '~/features/orders/gifts/gift-orders.server'
import { shop } from '~/features/orders/open-shop.server'
import { endFreeOrder, markOrderPaid } from '~/features/orders/order-actions.server'
import { orderStaffActions } from '~/features/orders/order-change.server'
import {
  findOrderHistory,
  gatherDisputeEvidence,
  type OrderHistory,
} from '~/features/orders/order-history.server'
import {
  declineRefundRequest,
  grantRefundRequest,
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

/** The actions of an order's page, by the name that its forms send. */
export const orderActions = {
  refund: {
    ...orderStaffActions.refund,
    perform: (submitted) =>
      withShop((openShop) =>
        refundOrder(submitted.actionContext, openShop, {
          orderId: getOrderId(submitted),
          amount: readText(submitted, 'amount'),
          reason: readText(submitted, 'reason'),
          displayedRemaining: readText(submitted, 'left'),
        }),
      ),
  },
  grant: {
    ...orderStaffActions.grantRefund,
    perform: (submitted) =>
      withShop((openShop) =>
        grantRefundRequest(submitted.actionContext, openShop, {
          orderId: getOrderId(submitted),
          amount: readText(submitted, 'amount'),
        }),
      ),
  },
  decline: {
    ...orderStaffActions.declineRefund,
    perform: (submitted) =>
      declineRefundRequest(submitted.actionContext, {
        orderId: getOrderId(submitted),
        reason: readText(submitted, 'reason'),
      }),
  },
  'mark-paid': {
    ...orderStaffActions.markPaid,
    perform: (submitted) =>
      withShop((openShop) =>
        markOrderPaid(submitted.actionContext, openShop, getOrderId(submitted)),
      ),
  },
  end: {
    ...orderStaffActions.end,
    perform: (submitted) =>
      endFreeOrder(submitted.actionContext, {
        orderId: getOrderId(submitted),
        reason: readText(submitted, 'reason'),
      }),
  },
  'resend-gift': {
    ...orderStaffActions.resendGift,
    perform: (submitted) =>
      resendGiftAsStaff(submitted.actionContext, {
        orderId: getOrderId(submitted),
        email: readText(submitted, 'to'),
      }),
  },
} satisfies Record<string, DeskAction>

function getOrderId({ params }: Pick<DeskRequest, 'params'>): string {
  if (params.order === undefined) {
    throw new Error('The route of an order has the parameter "order".')
  }

  return params.order
}

async function withShop<Value>(
  perform: (openShop: Shop) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return shop === null ? failure('Payments are off. Set PAYMENTS first.') : perform(shop)
}

/** Loads an order with everything that happened to it. Returns null if there is no such order. */
export async function loadOrderPage(desk: DeskRequest) {
  const { db, staff } = desk
  const orderId = getOrderId(desk)
  const history = await findOrderHistory(db, orderId)
  const remainingMinor = await findRemainingToRefund(db, orderId)
  if (history === null || remainingMinor === null) {
    return null
  }

  const { order, gift, requests, refunds } = history
  const waitingRequests = requests.filter(({ state }) => state === 'asked')
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
    timeline: toTimeline(history),
    gift: gift && {
      recipient: gift.recipientEmail,
      redeemedAt: gift.redeemedAt,
      canBeResent: order.state === 'paid' && gift.redeemedAt === null && order.uid !== null,
    },
    disputes: disputeRefunds.map(({ reason }) => reason),
    hasShop: shop !== null,
  }
}

async function findLearner(db: Database, uid: string) {
  const [learner] = await db
    .select({ uid: users.id, name: users.name })
    .from(users)
    .where(eq(users.id, uid))

  return learner ?? null
}

type TimelineEntry = { id: string; at: Date; text: string; amount: string; state: string }

/** Lists everything that happened to an order, oldest first. */
function toTimeline(history: OrderHistory): TimelineEntry[] {
  const { order, payments, refunds, receipts, events, requests } = history
  const formatAmount = (amountMinor: number) => formatMoney(amountMinor, order.currency)

  const entries: TimelineEntry[] = [
    ...listMilestones(history),
    ...requests.map(({ id, statedAt, kind, state, reason }) => ({
      id,
      at: statedAt,
      text:
        kind === 'withdrawal'
          ? 'The learner withdrew'
          : `The learner asked for a refund: ${reason}`,
      amount: '',
      state,
    })),
    ...payments.map(({ id, settledAt, createdAt, provider, amountMinor, state }) => ({
      id,
      at: settledAt ?? createdAt,
      text: `Payment by ${provider}`,
      amount: formatAmount(amountMinor),
      state,
    })),
    ...refunds.map(({ id, settledAt, createdAt, amountMinor, state, reason }) => ({
      id,
      at: settledAt ?? createdAt,
      text: `Refund: ${reason}`,
      amount: formatAmount(-amountMinor),
      state,
    })),
    ...receipts.map(({ number, document, issuedAt }) => ({
      id: `receipt-${number}`,
      at: issuedAt,
      text: document.kind === 'receipt' ? `Receipt ${number}` : `Credit note ${number}`,
      amount: formatAmount(document.totalMinor),
      state: '',
    })),
    ...events.map(({ id, receivedAt, type, failedAt }) => ({
      id,
      at: receivedAt,
      text: `Event ${type}`,
      amount: '',
      state: failedAt ? 'can’t be handled' : '',
    })),
  ]

  return entries.sort((one, other) => one.at.getTime() - other.at.getTime())
}

/** Lists the events that can happen to an order at most once. */
function listMilestones({ order, gift }: OrderHistory): TimelineEntry[] {
  const milestones: TimelineEntry[] = [
    {
      id: 'ordered',
      at: order.createdAt,
      text: describeOrdering(order),
      amount: formatMoney(order.totalMinor, order.currency),
      state: '',
    },
  ]

  if (gift?.redeemedAt) {
    const text = 'The gift was redeemed'
    milestones.push({ id: 'redeemed', at: gift.redeemedAt, text, amount: '', state: '' })
  }

  if (order.endedAt) {
    const text = 'The access was ended'
    milestones.push({ id: 'ended', at: order.endedAt, text, amount: '', state: '' })
  }

  return milestones
}

function describeOrdering({ isGift, couponCode }: OrderHistory['order']): string {
  if (couponCode) {
    return isGift
      ? `Ordered as a gift, with coupon ${couponCode}`
      : `Ordered with coupon ${couponCode}`
  }

  return isGift ? 'Ordered as a gift' : 'Ordered'
}

export type OrderPageData = NonNullable<Awaited<ReturnType<typeof loadOrderPage>>>
