import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { grantingOrder } from '~/features/enrollment/course-access.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import type { Transaction } from '~/features/progress/course-work-lock.server'
import type { Database } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { ledger, orders, paymentEvents, payments, receipts, refunds } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { reportError } from '~/server/operations/log.server'
import { mayMove, type OrderState, orderMoves, type PaymentState, paymentMoves, refundMoves } from './order-states'
import type { ProviderPayment, ProviderRefund } from './payment-provider.server'
import { issueReceipt } from './receipts.server'
import type { Order, Shop } from './shop.server'

type Payment = typeof payments.$inferSelect
type Refund = typeof refunds.$inferSelect

/**
 * Brings an order in line with what the payment provider says about it. The webhook, the page after paying and the sweep all
 * call it; twice, out of order or after a kill it changes nothing more.
 *
 * Payment, order, enrollment, receipt, ledger and mail are written in one transaction: either all of them are there, or none
 * and the next call writes them.
 *
 * @param event is remembered with what it caused.
 * @returns null if there is no such order.
 */
export async function fulfillOrder(
  shop: Shop,
  orderId: string,
  event?: { id: string; type: string },
): Promise<Order | null> {
  const { db, provider } = shop
  const asked = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), isNotNull(payments.sessionId), ne(payments.state, 'expired')))
    .orderBy(payments.attempt)
  const answers = await Promise.all(asked.map(({ sessionId }) => provider.read(sessionId ?? '')))

  const order = await db.transaction(async (transaction) => {
    const before = await lockOrder(transaction, orderId)
    if (!before) return null
    if (event)
      await transaction
        .insert(paymentEvents)
        .values({ ...event, orderId })
        .onConflictDoNothing()
    for (const [index, answer] of answers.entries()) {
      const paymentId = asked[index]?.id
      if (paymentId) await takeAnswer(transaction, shop, orderId, paymentId, answer)
    }
    await expireUnstarted(transaction, orderId)
    return lockOrder(transaction, orderId)
  })

  if (order) await sendRefunds(shop, orderId)
  shop.mailQueued()
  return order
}

/** All that happens to an order happens one after another. */
async function lockOrder(transaction: Transaction, orderId: string): Promise<Order | null> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for('update')
  return order ?? null
}

async function takeAnswer(
  transaction: Transaction,
  shop: Shop,
  orderId: string,
  paymentId: string,
  answer: ProviderPayment,
): Promise<void> {
  const [payment] = await transaction.select().from(payments).where(eq(payments.id, paymentId))
  const order = await lockOrder(transaction, orderId)
  if (!payment || !order) return
  await transaction.update(payments).set({ checkedAt: sql`now()` }).where(eq(payments.id, payment.id))
  const next = paymentStates[answer.state]
  if (next && mayMove(paymentMoves, payment.state, next, 'provider')) {
    if (next === 'succeeded') requireSameAmount(order, payment, answer)
    await transaction
      .update(payments)
      .set({ state: next, intentId: answer.intentId, settledAt: next === 'processing' ? null : sql`now()` })
      .where(eq(payments.id, payment.id))
    if (next === 'succeeded') await takeMoney(transaction, shop, order, payment)
    else if (next === 'processing') await moveOrder(transaction, order, 'processing')
    else await moveOrder(transaction, order, 'open')
  }
  for (const refund of answer.refunds) await takeRefund(transaction, shop, orderId, payment, refund)
}

const paymentStates: Record<ProviderPayment['state'], PaymentState | null> = {
  open: null,
  processing: 'processing',
  paid: 'succeeded',
  failed: 'failed',
  expired: 'expired',
}

/** A wrong sum grants nothing. `orders check --provider` lists the order, and an operator has to look at it. */
function requireSameAmount(order: Order, payment: Payment, { amountMinor, currency }: ProviderPayment): void {
  if (amountMinor === payment.amountMinor && currency === order.currency) return
  throw new Error(
    `Order ${order.id}: the provider took ${amountMinor} ${currency} instead of ${payment.amountMinor} ${order.currency}.`,
  )
}

/** A payment came in: it buys the course, unless that is paid already, or the learner has gone. */
export async function takeMoney(transaction: Transaction, shop: Shop, order: Order, payment: Payment): Promise<void> {
  const { id: orderId, uid, courseId, currency } = order
  const { amountMinor } = payment
  await transaction.insert(ledger).values({ id: payment.id, orderId, kind: 'charge', amountMinor, currency })
  const isPaidAlready = order.state === 'paid' || (await isBoughtByAnother(transaction, order))
  if (isPaidAlready || !uid) {
    const reason = isPaidAlready ? 'This course was paid twice.' : 'The account was deleted before the payment came.'
    await transaction.insert(refunds).values({ id: randomId(), orderId, paymentId: payment.id, amountMinor, reason })
    await moveOrder(transaction, order, 'canceled')
    return
  }
  const mover = payment.provider === 'transfer' ? 'operator' : 'provider'
  if (!mayMove(orderMoves, order.state, 'paid', mover)) throw new Error(`Order ${orderId} is ${order.state}.`)
  await transaction.update(orders).set({ state: 'paid', paidAt: sql`now()` }).where(eq(orders.id, orderId))
  await enrollLearner(transaction, uid, courseId, { bought: true })
  await queueOrderMail(transaction, uid, 'receipt', orderId)
  // Last, because every other order waits for its number until this one is committed.
  await issueReceipt(transaction, shop, order, payment.id, amountMinor)
}

async function isBoughtByAnother(transaction: Transaction, { uid, courseId }: Order): Promise<boolean> {
  if (!uid) return false
  const { rows } = await transaction.execute<{ bought: boolean }>(sql`select ${grantingOrder(uid, courseId)} as bought`)
  return rows[0]?.bought ?? false
}

/** Moves by the provider's word; a move that the table doesn't know is none. */
async function moveOrder(transaction: Transaction, { id, state }: Order, next: OrderState): Promise<void> {
  if (mayMove(orderMoves, state, next, 'provider'))
    await transaction.update(orders).set({ state: next }).where(eq(orders.id, id))
}

async function takeRefund(
  transaction: Transaction,
  shop: Shop,
  orderId: string,
  payment: Payment,
  answer: ProviderRefund,
): Promise<void> {
  const refund = await findOrAddRefund(transaction, orderId, payment, answer)
  const before = refund.state
  if (!mayMove(refundMoves, before, answer.state, 'provider')) return
  const settledAt = answer.state === 'pending' ? null : sql`now()`
  await transaction
    .update(refunds)
    .set({ state: answer.state, providerId: answer.providerId, settledAt })
    .where(eq(refunds.id, refund.id))
  if (answer.state === 'succeeded') await moveMoney(transaction, shop, refund, -refund.amountMinor)
  else if (before === 'succeeded') await moveMoney(transaction, shop, refund, refund.amountMinor)
}

/** What began at the provider gets its row now. */
async function findOrAddRefund(
  transaction: Transaction,
  orderId: string,
  payment: Payment,
  { refundId, providerId, amountMinor, reason }: ProviderRefund,
): Promise<Refund> {
  const ours = refundId ? eq(refunds.id, refundId) : eq(refunds.providerId, providerId)
  const [known] = await transaction
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), ours))
  if (known) return known
  const [added] = await transaction
    .insert(refunds)
    .values({ id: refundId ?? randomId(), orderId, paymentId: payment.id, amountMinor, reason })
    .returning()
  if (!added) throw new Error('A refund was not stored.')
  return added
}

/** Writes a refund, or one that came back, into the books, and ends or restores the access that the order gives. */
async function moveMoney(transaction: Transaction, shop: Shop, refund: Refund, amountMinor: number): Promise<void> {
  const { id, orderId, paymentId } = refund
  const order = await lockOrder(transaction, orderId)
  if (!order) return
  const ledgerId = amountMinor < 0 ? id : `${id} came back`
  const kind = amountMinor < 0 ? 'refund' : 'charge'
  await transaction.insert(ledger).values({ id: ledgerId, orderId, kind, amountMinor, currency: order.currency })

  const [{ balance } = { balance: 0 }] = await transaction
    .select({ balance: sql<number>`sum(${ledger.amountMinor})::int` })
    .from(ledger)
    .where(eq(ledger.orderId, orderId))
  if (balance <= 0) await moveOrder(transaction, order, 'refunded')
  // Only an order that was bought by its payment: one that was given up gave no access before.
  else if (order.state === 'refunded') await moveOrder(transaction, order, 'paid')
  if (order.uid) await followAccess(transaction, order.uid, order.courseId)

  const [receipt] = await transaction.select().from(receipts).where(eq(receipts.ledgerId, paymentId))
  if (receipt) await issueReceipt(transaction, shop, order, ledgerId, amountMinor)
}

/** The learner's list follows from access. Progress and certificates stay. */
async function followAccess(transaction: Transaction, uid: string, courseId: string): Promise<void> {
  const { rows } = await transaction.execute<{ granted: boolean }>(
    sql`select ${grantingOrder(uid, courseId)} as granted`,
  )
  if (rows[0]?.granted) await enrollLearner(transaction, uid, courseId, { bought: true })
  else
    await transaction.execute(sql`delete from enrollments where uid = ${uid} and course_id = ${courseId} and by_order`)
}

/** The provider's answer was never stored, so no learner has seen the page to pay on. */
async function expireUnstarted(transaction: Transaction, orderId: string): Promise<void> {
  await transaction
    .update(payments)
    .set({ state: 'expired', settledAt: sql`now()` })
    .where(
      and(
        eq(payments.orderId, orderId),
        eq(payments.state, 'started'),
        sql`${payments.sessionId} is null and ${payments.expiresAt} < now()`,
      ),
    )
}

/** Sends the refunds of an order that were asked for. Their rows are there already, so that a kill repeats the same one. */
export async function sendRefunds(shop: Shop, orderId: string): Promise<void> {
  const { db, provider } = shop
  const waiting = await db
    .select({ refund: refunds, payment: payments, currency: orders.currency })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(and(eq(refunds.orderId, orderId), eq(refunds.state, 'requested')))
  for (const { refund, payment, currency } of waiting) {
    const { id: refundId, amountMinor } = refund
    // Money that came by transfer goes back by transfer: the operator has sent it.
    const answer: ProviderRefund = payment.intentId
      ? await provider.refund({ refundId, orderId, intentId: payment.intentId, amountMinor, currency })
      : { providerId: `transfer ${refundId}`, refundId, amountMinor, state: 'succeeded', reason: refund.reason }
    await db.transaction(async (transaction) => {
      await lockOrder(transaction, orderId)
      await takeRefund(transaction, shop, orderId, payment, answer)
    })
  }
}

/** @returns the order that a payment of the provider belongs to. */
export async function findOrderOfIntent(db: Pick<Database, 'select'>, intentId: string): Promise<string | null> {
  const [payment] = await db.select({ orderId: payments.orderId }).from(payments).where(eq(payments.intentId, intentId))
  return payment?.orderId ?? null
}

const unsettledStates: PaymentState[] = ['started', 'processing']
const sweepAtOnce = 100
/** Few, because Stripe limits requests, and each takes a connection to the database. */
const sweepSideBySide = 4

/**
 * Asks the provider about payments that no event has settled, and sends refunds that are still to be sent.
 *
 * @param mayGoOn false once another process does the background work.
 */
export async function sweepOrders(shop: Shop, mayGoOn: () => boolean): Promise<void> {
  const { rows } = await shop.db.execute<{ orderId: string }>(sql`
    (select order_id as "orderId" from ${payments}
      where state in ${unsettledStates} and checked_at < now() - interval '15 seconds'
      order by checked_at limit ${sweepAtOnce})
    union
    (select p.order_id from refunds r join payments p on p.id = r.payment_id
      where r.state in ('requested', 'pending') and r.created_at < now() - interval '15 seconds'
        and p.checked_at < now() - interval '15 seconds'
      order by p.checked_at limit ${sweepAtOnce})`)
  const waiting = new Set(rows.map(({ orderId }) => orderId)).values()
  const takeUp = async () => {
    for (const orderId of waiting) {
      if (!mayGoOn()) return
      await countAsAsked(shop.db, orderId)
      await fulfillOrder(shop, orderId).catch((error) => reportError(error))
    }
  }
  await Promise.all(Array.from({ length: sweepSideBySide }, takeUp))
  if (mayGoOn()) await cancelAbandoned(shop.db)
}

/** Before it is asked, so that an order that fails takes its turn with the others. */
async function countAsAsked(db: Database, orderId: string): Promise<void> {
  await db.transaction(async (transaction) => {
    await lockOrder(transaction, orderId)
    await transaction.update(payments).set({ checkedAt: sql`now()` }).where(eq(payments.orderId, orderId))
  })
}

/** Orders that were not paid within a day, and whose page to pay on has expired. */
async function cancelAbandoned(db: Database): Promise<void> {
  await db.execute(sql`
    update orders set state = 'canceled' where state = 'open' and created_at < now() - interval '1 day'
      and not exists (select from payments p where p.order_id = orders.id and p.state in ('started', 'processing'))`)
}
