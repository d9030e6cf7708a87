import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { refundRequests } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { reportError } from '~/server/operations/log.server'
import { lockOrder } from '../move-order.server'
import { requestRefund } from '../order-administration.server'
import type { Shop } from '../shop.server'
import { isFresh, listRefundChances, type RefundKind } from './refund-options'
import { findStated, type RefundRequest, readRefundFacts } from './refund-request-queries.server'
import { sendRefunds } from './refunds.server'
import { moveRequest } from './request-moves.server'

type Asked = { orderId: string; kind: RefundKind; reason: string }

/**
 * The signed-in learner's confirmed words.
 *
 * @returns false if the order can't be asked back (any more).
 */
export async function askForMoney(shop: Shop, asked: Asked): Promise<boolean> {
  return take(shop, asked.orderId, async (transaction) => {
    if (!(await isPossible(transaction, shop, asked, new Date()))) {
      return null
    }

    return state(transaction, asked)
  })
}

/**
 * What somebody signed out has stated. The link in the mail confirms it; without a chance, the mail
 * says so.
 */
export async function stateByMail(shop: Shop, asked: Asked): Promise<void> {
  await shop.db.transaction(async (transaction) => {
    const order = await lockOrder(transaction, asked.orderId)
    if (!order?.uid) {
      return
    }

    // Stated in time counts, when the mail got lost and is asked for again later.
    const open = await findOpen(transaction, asked)
    const isStated = open?.state === 'stated' && isFresh(open, new Date())
    if (!isStated && (await isPossible(transaction, shop, asked, new Date()))) {
      await state(transaction, asked)
    }

    await queueOrderMail(transaction, order.uid, `${asked.kind}-link`, order.id)
  })

  shop.mailQueued()
}

/** @returns false if the link is too old, or the order can't be asked back. */
export async function confirmByMail(shop: Shop, requestId: string): Promise<boolean> {
  const stated = await findStated(shop.db, requestId)
  if (!stated) {
    return false
  }

  return take(shop, stated.orderId, async (transaction) => {
    const request = await findStated(transaction, requestId)
    if (request?.state !== 'stated' || !isFresh(request, new Date())) {
      return null
    }

    return (await isPossible(transaction, shop, request, request.statedAt)) ? request : null
  })
}

/**
 * Takes a confirmed request: a withdrawal gives the money back at once, a refund waits for an
 * operator.
 */
async function take(
  shop: Shop,
  orderId: string,
  find: (transaction: Transaction) => Promise<RefundRequest | null>,
): Promise<boolean> {
  const taken = await shop.db.transaction(async (transaction) => {
    const order = await lockOrder(transaction, orderId)
    const request = order?.uid ? await find(transaction) : null
    if (!order?.uid || !request) {
      return false
    }

    const facts = await readRefundFacts(transaction, orderId)
    // A transfer is sent back by people.
    const isSentNow = request.kind === 'withdrawal' && !facts?.byTransfer
    if (isSentNow) {
      await requestRefund(transaction, orderId, {
        amountMinor: null,
        reason: 'The learner has withdrawn.',
      })
    }

    await moveRequest(transaction, request, isSentNow ? 'granted' : 'asked', 'learner')
    await queueOrderMail(transaction, order.uid, `${request.kind}-received`, orderId)

    return true
  })

  // The background work repeats what fails here.
  if (taken) {
    await sendRefunds(shop, orderId).catch((error) => reportError(error))
  }

  shop.mailQueued()

  return taken
}

async function isPossible(
  transaction: Transaction,
  shop: Shop,
  { orderId, kind }: Pick<Asked, 'orderId' | 'kind'>,
  at: Date,
): Promise<boolean> {
  const facts = await readRefundFacts(transaction, orderId)
  return (
    facts !== null &&
    listRefundChances(facts, shop.refundDays, at).some((chance) => chance.kind === kind)
  )
}

const openOf = ({ orderId, kind }: Pick<Asked, 'orderId' | 'kind'>) =>
  and(
    eq(refundRequests.orderId, orderId),
    eq(refundRequests.kind, kind),
    sql`${refundRequests.state} in ('stated', 'asked')`,
  )

async function findOpen(transaction: Transaction, asked: Asked): Promise<RefundRequest | null> {
  const [open] = await transaction.select().from(refundRequests).where(openOf(asked))
  return open ?? null
}

/** One for each order and kind: stating it again takes the newer words. */
async function state(transaction: Transaction, asked: Asked): Promise<RefundRequest> {
  const { orderId, kind, reason } = asked
  const order = await lockOrder(transaction, orderId)
  const words = { reason, statedAt: sql`now()` }
  const open = await findOpen(transaction, asked)
  const [request] = open
    ? await transaction
        .update(refundRequests)
        .set(words)
        .where(eq(refundRequests.id, open.id))
        .returning()
    : await transaction
        .insert(refundRequests)
        .values({ id: randomId(), orderId, uid: order?.uid ?? '', kind, ...words })
        .returning()

  if (!request) {
    throw new Error('A request for a refund was not stored.')
  }

  return request
}
