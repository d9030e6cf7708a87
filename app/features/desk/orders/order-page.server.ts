import { eq, sql } from 'drizzle-orm'
import { gatherEvidence } from '~/features/orders/dispute-evidence.server'
import { moneyText } from '~/features/orders/money'
import { shop } from '~/features/orders/open-shop.server'
import { describeOrder } from '~/features/orders/order-administration.server'
import { refundRequestTexts } from '~/features/orders/refund-requests/refund-messages'
import { orders, users } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { type Act, type ActCall, deskPage } from '../desk-page.server'
import { beginRefund, declineAsked, finishRefund, grantAsked, payByTransfer } from './order-acts.server'

const textOf = ({ form }: ActCall, name: string) => String(form.get(name) ?? '').trim()

const acts = {
  refund: {
    name: 'orders refund',
    permission: 'give money back',
    isSensitive: true,
    async run(call) {
      const seller = requireShop()
      const id = call.params.order ?? ''
      const reason = textOf(call, 'reason')
      if (!reason || reason.length > 500) throw new StartError('Give a reason of at most 500 characters.')
      await requireUnchanged(call, id)
      const begun = await beginRefund(call.transaction, seller, id, { amount: textOf(call, 'amount'), reason })
      return { ...begun, after: () => finishRefund(seller, begun.orderId) }
    },
  },
  grant: {
    name: 'orders grant',
    permission: 'give money back',
    isSensitive: true,
    async run(call) {
      const seller = requireShop()
      const begun = await grantAsked(call.transaction, seller, call.params.order ?? '', textOf(call, 'amount'))
      return { ...begun, after: () => finishRefund(seller, begun.orderId) }
    },
  },
  decline: {
    name: 'orders decline',
    permission: 'give money back',
    isSensitive: false,
    async run(call) {
      const answer = textOf(call, 'answer')
      if (!answer || answer.length > 500) throw new StartError('Give a reason of at most 500 characters.')
      const declined = await declineAsked(call.transaction, call.params.order ?? '', answer)
      return { ...declined, after: async () => shop?.mailQueued() }
    },
  },
  'mark-paid': {
    name: 'orders mark-paid',
    permission: 'give money back',
    isSensitive: true,
    run: (call) => payByTransfer(call.transaction, requireShop(), call.params.order ?? ''),
  },
} satisfies Record<string, Act>

function requireShop() {
  if (!shop) throw new StartError('Payments are off. Set PAYMENTS first.')
  return shop
}

/**
 * The form says how much was left when it was shown, so that the same refund sent twice, or by two people at the same time,
 * gives the money back once.
 */
async function requireUnchanged(call: ActCall, id: string): Promise<void> {
  await call.transaction.execute(sql`select from orders where id = ${id} for update`)
  const left = leftOf(await describeOrder(call.transaction, id))
  if (textOf(call, 'left') !== String(left))
    throw new StartError('Meanwhile somebody changed this order. Look at it again before you give money back.')
}

type Described = Awaited<ReturnType<typeof describeOrder>>

/** What can still be given back, in the smallest unit. */
function leftOf({ payments, refunds }: Described): number {
  const lefts = payments
    .filter(({ state }) => state === 'succeeded')
    .map(({ id, amountMinor }) => {
      const back = refunds.filter(({ paymentId, state }) => paymentId === id && state !== 'failed')
      return amountMinor - back.reduce((sum, refund) => sum + refund.amountMinor, 0)
    })
  return lefts.find((left) => left > 0) ?? 0
}

export const orderPage = deskPage({
  path: 'Orders/:order',
  permission: 'see orders',
  acts,
  async load({ db, params }) {
    const id = params.order ?? ''
    const [exists] = await db.select({ id: orders.id }).from(orders).where(eq(orders.id, id))
    if (!exists) return null
    const described = await describeOrder(db, id)
    const { order } = described
    const [learner] = order.uid
      ? await db.select({ uid: users.id, name: users.name }).from(users).where(eq(users.id, order.uid))
      : []
    return {
      order: { ...order, total: moneyText(order.totalMinor, order.currency) },
      learner: learner ?? null,
      left: { minor: leftOf(described), text: moneyText(leftOf(described), order.currency) },
      asked: described.requests.filter((request) => request.state === 'asked'),
      used: await gatherEvidence(db, order),
      happened: happenedTo(described),
      sells: shop !== null,
    }
  },
})

export type Happened = { id: string; at: Date; what: string; amount: string; state: string }

/** Everything that happened to an order, in its order. */
function happenedTo({ order, payments, refunds, receipts, events, requests }: Described): Happened[] {
  const money = (minor: number) => moneyText(minor, order.currency)
  const rows = [
    { id: 'ordered', at: order.createdAt, what: 'Ordered', amount: money(order.totalMinor), state: '' },
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
    ...requests.map(({ id, statedAt, kind, reason, state, answer }) => ({
      id,
      at: statedAt,
      what: [refundRequestTexts[kind], reason, answer].filter(Boolean).join(': '),
      amount: '',
      state,
    })),
    ...receipts.map(({ number, document, issuedAt }) => ({
      id: `receipt-${number}`,
      at: issuedAt,
      what: document.kind === 'receipt' ? `Receipt ${number}` : `Credit note ${number}`,
      amount: money(document.totalMinor),
      state: '',
    })),
    ...events.map(({ id, receivedAt, type }) => ({ id, at: receivedAt, what: `Event ${type}`, amount: '', state: '' })),
  ]
  return rows.sort((one, other) => one.at.getTime() - other.at.getTime())
}
