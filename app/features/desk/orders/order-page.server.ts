import { eq, sql } from 'drizzle-orm'
import { gatherEvidence } from '~/features/orders/dispute-evidence.server'
import { shop } from '~/features/orders/open-shop.server'
import { describeOrder } from '~/features/orders/order-administration.server'
import { leftToRefund } from '~/features/orders/refunds/refund-request-queries.server'
import { formatMoney } from '~/features/school/money'
import { recordOpened } from '~/features/staff/record-opened.server'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { type DeskAction, type DeskActionRequest, textOf } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { sendGiftAgain } from '../gifts/gift-acts.server'
import {
  beginRefund,
  declineRefund,
  endOrder,
  finishRefund,
  grantRefund,
  payByTransfer,
} from './order-acts.server'

export const orderActions = {
  refund: {
    name: 'orders refund',
    permission: 'give money back',
    isSensitive: true,
    async run(call) {
      const seller = requireShop()
      const id = call.params.order ?? ''
      const reason = requireReason(call)
      await requireUnchanged(call, id)
      const begun = await beginRefund(call.transaction, id, {
        amount: textOf(call, 'amount'),
        reason,
      })

      return { ...begun, after: () => finishRefund(seller, begun.orderId) }
    },
  },
  grant: {
    name: 'orders grant',
    permission: 'give money back',
    isSensitive: true,
    async run(call) {
      const seller = requireShop()
      const begun = await grantRefund(
        call.transaction,
        call.params.order ?? '',
        textOf(call, 'amount'),
      )

      return { ...begun, after: () => finishRefund(seller, begun.orderId) }
    },
  },
  decline: {
    name: 'orders decline',
    permission: 'give money back',
    isSensitive: true,
    run: (call) => declineRefund(call.transaction, call.params.order ?? '', requireReason(call)),
  },
  'mark-paid': {
    name: 'orders mark-paid',
    permission: 'give money back',
    isSensitive: true,
    run: (call) => payByTransfer(call.transaction, requireShop(), call.params.order ?? ''),
  },
  end: {
    name: 'orders end',
    permission: 'give money back',
    isSensitive: true,
    run: (call) => endOrder(call.transaction, call.params.order ?? '', requireReason(call)),
  },
  'resend-gift': {
    name: 'orders resend-gift',
    permission: 'send gifts again',
    isSensitive: true,
    run: (call) => sendGiftAgain(call.transaction, call.params.order ?? '', textOf(call, 'to')),
  },
} satisfies Record<string, DeskAction>

const longestReason = 500

function requireReason(call: DeskActionRequest): string {
  const reason = textOf(call, 'reason')
  if (!reason || reason.length > longestReason) {
    throw new StartError('Give a reason of at most 500 characters.')
  }

  return reason
}

function requireShop() {
  if (!shop) {
    throw new StartError('Payments are off. Set PAYMENTS first.')
  }

  return shop
}

/**
 * The form says how much was left when it was shown, so that the same refund sent twice, or by two
 * people at the same time, gives the money back once.
 */
async function requireUnchanged(call: DeskActionRequest, id: string): Promise<void> {
  // A statement of its own: the next one sees what the transaction that held the order before has
  // changed.
  await call.transaction.execute(sql`select from orders where id = ${id} for update`)
  const left = await findLeft(call.transaction, id)
  if (textOf(call, 'left') !== String(left)) {
    throw new StartError(
      'Somebody has changed this order in the meantime. Look at it again before you give money back.',
    )
  }
}

/** What can still be given back, in the smallest unit; null without such an order. */
async function findLeft(db: Pick<Database, 'execute'>, id: string): Promise<number | null> {
  const { rows } = await db.execute<{ left: number }>(
    sql`select ${leftToRefund} as left from orders o where o.id = ${id}`,
  )
  return rows[0]?.left ?? null
}

type Described = Awaited<ReturnType<typeof describeOrder>>

export async function loadOrderPage({ db, params, staff }: DeskRequest) {
  const id = params.order ?? ''
  const left = await findLeft(db, id)
  if (left === null) {
    return null
  }

  const described = await describeOrder(db, id)
  const { order } = described
  const [learner] = order.uid
    ? await db
        .select({ uid: users.id, name: users.name })
        .from(users)
        .where(eq(users.id, order.uid))
    : []

  if (learner) {
    await recordOpened(db, staff.uid, learner.uid)
  }

  return {
    order: { ...order, total: formatMoney(order.totalMinor, order.currency) },
    learner: learner ?? null,
    left: { minor: left, text: formatMoney(left, order.currency) },
    waiting: described.requests
      .filter(({ state }) => state === 'asked')
      .map(({ kind, reason }) => ({ kind, reason })),
    used: await gatherEvidence(db, order),
    happened: happenedTo(described),
    // The code stays secret, because it opens the course.
    gift: described.gift && {
      recipient: described.gift.recipientEmail,
      redeemedAt: described.gift.redeemedAt,
      canBeSent: order.state === 'paid' && described.gift.redeemedAt === null && order.uid !== null,
    },
    disputes: described.refunds
      .filter(({ reason }) => reason.startsWith('dispute'))
      .map(({ reason }) => reason),
    sells: shop !== null,
  }
}

export type Happened = { id: string; at: Date; what: string; amount: string; state: string }

function orderedText({ isGift, couponCode }: Described['order']): string {
  if (couponCode) {
    return isGift
      ? `Ordered as a gift, with coupon ${couponCode}`
      : `Ordered with coupon ${couponCode}`
  }

  return isGift ? 'Ordered as a gift' : 'Ordered'
}

/** Everything that happened to an order, in its order. */
function happenedTo({
  order,
  payments,
  refunds,
  receipts,
  events,
  requests,
  gift,
}: Described): Happened[] {
  const money = (minor: number) => formatMoney(minor, order.currency)
  const rows = [
    {
      id: 'ordered',
      at: order.createdAt,
      what: orderedText(order),
      amount: money(order.totalMinor),
      state: '',
    },
    ...(gift?.redeemedAt
      ? [
          {
            id: 'redeemed',
            at: gift.redeemedAt,
            what: 'The gift was redeemed',
            amount: '',
            state: '',
          },
        ]
      : []),
    ...(order.endedAt
      ? [{ id: 'ended', at: order.endedAt, what: 'The access was ended', amount: '', state: '' }]
      : []),
    ...requests.map(({ id, statedAt, kind, state, reason }) => ({
      id,
      at: statedAt,
      what:
        kind === 'withdrawal'
          ? 'The learner withdrew'
          : `The learner asked for a refund: ${reason}`,
      amount: '',
      state,
    })),
    ...payments.map(({ id, settledAt, createdAt, provider, amountMinor, state }) => ({
      id,
      at: settledAt ?? createdAt,
      what: `Payment by ${provider}`,
      amount: money(amountMinor),
      state,
    })),
    ...refunds.map(({ id, settledAt, createdAt, amountMinor, state, reason }) => ({
      id,
      at: settledAt ?? createdAt,
      what: `Refund: ${reason}`,
      amount: money(-amountMinor),
      state,
    })),
    ...receipts.map(({ number, document, issuedAt }) => ({
      id: `receipt-${number}`,
      at: issuedAt,
      what: document.kind === 'receipt' ? `Receipt ${number}` : `Credit note ${number}`,
      amount: money(document.totalMinor),
      state: '',
    })),
    ...events.map(({ id, receivedAt, type, failedAt }) => ({
      id,
      at: receivedAt,
      what: `Event ${type}`,
      amount: '',
      state: failedAt ? 'can’t be handled' : '',
    })),
  ]

  return rows.sort((one, other) => one.at.getTime() - other.at.getTime())
}

export type OrderPageData = NonNullable<Awaited<ReturnType<typeof loadOrderPage>>>
