/**
 * Learners ask for their money back.
 *
 * There are two kinds of request. A withdrawal is a legal right: the money goes back at once,
 * unless it was paid by bank transfer. A goodwill refund is the school's decision: the request
 * waits for a member of staff. Both start in one of two ways:
 * - signed in: `requestRefund` creates a request that counts immediately;
 * - signed out: `requestRefundByEmail` creates an unconfirmed request, and `confirmRefundRequest`
 *   confirms it from the emailed link.
 *
 * Every function locks the order before it decides anything, so requests for the same order run one
 * after the other. The payment provider is called after the transaction; if that fails, the
 * background job tries again.
 *
 * Callers check that the order belongs to the learner.
 */
import { and, eq, inArray, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { refundRequests } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { reportError } from '~/server/operations/log.server'
import { isOwned, lockOrder, type OwnedOrder } from '../order-record.server'
import type { Shop } from '../shop.server'
import {
  isExpired,
  listRefundOptions,
  maxOrderNumberLength,
  maxRefundReasonLength,
  type RefundKind,
  refundKinds,
} from './refund-options'
import {
  findRefundRequest,
  getRefundConditions,
  wasPaidByTransfer,
} from './refund-request-queries.server'
import { changeRequestStatus, type RefundRequest } from './refund-request-status.server'
import { createRefund, sendPendingRefunds } from './refunds.server'

const reason = z
  .string()
  .trim()
  .max(maxRefundReasonLength, `At most ${maxRefundReasonLength} characters, please.`)
  .default('')

/** The fields of a request by a learner who is signed in. */
export const refundRequestForm = z.object({ reason })

/** The fields of a request by somebody who is not signed in. */
export const refundRequestByEmailForm = z.object({
  kind: z.enum(refundKinds, 'Please choose one.'),
  order: z
    .string()
    .trim()
    .min(1, 'Please enter the order number.')
    .max(maxOrderNumberLength, 'Please enter the order number.'),
  email: z
    .string()
    .trim()
    .min(1, 'Please enter the email address.')
    .max(320, 'Please enter the email address.'),
  reason,
})

type RefundRequestInput = { orderId: string; kind: RefundKind; reason: string }

/**
 * Asks for the money of an order back.
 *
 * @returns whether the request was received; false if the order can't be refunded (any more)
 */
export async function requestRefund(shop: Shop, input: RefundRequestInput): Promise<boolean> {
  return receiveRequest(shop, input.orderId, async (tx, order) => {
    const isEligible = await isEligibleForRefund(tx, shop, order, { ...input, at: new Date() })
    return isEligible ? saveUnconfirmedRequest(tx, order, input) : null
  })
}

/** Emails a link that confirms the request. The email says so if the order can't be refunded. */
export async function requestRefundByEmail(shop: Shop, input: RefundRequestInput): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const order = await lockOwnedOrder(tx, input.orderId)
    if (order === null) {
      return
    }

    const openRequest = await findOpenRequest(tx, input)
    const shouldSave = openRequest === null || isExpiredAndUnconfirmed(openRequest)
    if (shouldSave && (await isEligibleForRefund(tx, shop, order, { ...input, at: new Date() }))) {
      await saveUnconfirmedRequest(tx, order, input)
    }
    // Otherwise the open request keeps its date, so that asking for the email again does not miss
    // the deadline, and a confirmed request keeps its reason.

    // The text of this email depends on whether there is an unconfirmed request.
    await queueOrderMail(tx, order.uid, linkEmailByKind[input.kind], order.id)
  })

  shop.wakeEmailSender()
}

/**
 * Confirms a request with the link of an email.
 *
 * @returns whether the request was confirmed; false if the link or the deadline has expired
 */
export async function confirmRefundRequest(shop: Shop, requestId: string): Promise<boolean> {
  // This read takes no lock. It only finds out which order to lock.
  const requestBeforeLock = await findRefundRequest(shop.db, requestId)
  if (requestBeforeLock === null) {
    return false
  }

  return receiveRequest(shop, requestBeforeLock.orderId, async (tx, order) => {
    const request = await findRefundRequest(tx, requestId)
    if (request === null || request.status !== 'stated' || isExpired(request, new Date())) {
      return null
    }

    // The date of the request counts, not the date of its confirmation.
    const { kind, requestedAt } = request
    const isEligible = await isEligibleForRefund(tx, shop, order, { kind, at: requestedAt })
    return isEligible ? request : null
  })
}

const linkEmailByKind = { withdrawal: 'withdrawal-link', refund: 'refund-link' } as const
const receivedEmailByKind = {
  withdrawal: 'withdrawal-received',
  refund: 'refund-received',
} as const

/**
 * Locks the order and records that the request from `getRequest` was received. A withdrawal is
 * refunded right away.
 *
 * @param getRequest returns the request to receive, or null if there is none
 * @returns whether a request was received
 */
async function receiveRequest(
  shop: Shop,
  orderId: string,
  getRequest: (tx: Transaction, order: OwnedOrder) => Promise<RefundRequest | null>,
): Promise<boolean> {
  const isReceived = await shop.db.transaction(async (tx) => {
    const order = await lockOwnedOrder(tx, orderId)
    if (order === null) {
      return false
    }

    const request = await getRequest(tx, order)
    if (request === null) {
      return false
    }

    // Bank transfers have no provider that could send the money back, so a member of staff does it.
    const shouldRefundNow =
      request.kind === 'withdrawal' && !(await wasPaidByTransfer(tx, order.id))
    if (shouldRefundNow) {
      await refundWithdrawal(tx, order)
    }

    const status = shouldRefundNow ? 'granted' : 'asked'
    await changeRequestStatus(tx, request, { status, initiator: 'learner' })
    await queueOrderMail(tx, order.uid, receivedEmailByKind[request.kind], order.id)
    return true
  })

  if (isReceived) {
    shop.wakeEmailSender()
    // If the provider can't be reached, the background job tries again.
    await sendPendingRefunds(shop, orderId).catch((error) => reportError(error))
  }

  return isReceived
}

/** Returns null if the account was deleted, because then there is nobody to refund or email. */
async function lockOwnedOrder(tx: Transaction, orderId: string): Promise<OwnedOrder | null> {
  const order = await lockOrder(tx, orderId)
  return order !== null && isOwned(order) ? order : null
}

async function refundWithdrawal(tx: Transaction, order: OwnedOrder): Promise<void> {
  const refund = await createRefund(tx, order, {
    amountMinor: null,
    reason: 'The learner has withdrawn.',
  })
  if (!refund.ok) {
    throw new Error(`Order ${order.id} was eligible for a withdrawal. ${refund.problem}`)
  }
}

/** @param request.at the time that counts for the deadline */
async function isEligibleForRefund(
  tx: Transaction,
  shop: Shop,
  order: OwnedOrder,
  request: { kind: RefundKind; at: Date },
): Promise<boolean> {
  const conditions = await getRefundConditions(tx, order)
  const options = listRefundOptions(conditions, shop.currentRefundPeriods, request.at)
  return options.some(({ kind }) => kind === request.kind)
}

type OrderAndKind = Pick<RefundRequestInput, 'orderId' | 'kind'>

/** Returns the request that is not answered yet; each order has at most one of each kind. */
async function findOpenRequest(
  tx: Transaction,
  { orderId, kind }: OrderAndKind,
): Promise<RefundRequest | null> {
  const [request] = await tx
    .select()
    .from(refundRequests)
    .where(
      and(
        eq(refundRequests.orderId, orderId),
        eq(refundRequests.kind, kind),
        inArray(refundRequests.status, ['stated', 'asked']),
      ),
    )

  return request ?? null
}

function isExpiredAndUnconfirmed(request: RefundRequest): boolean {
  return request.status === 'stated' && isExpired(request, new Date())
}

/** Stores a new request, or replaces reason and date of the one that nobody has confirmed. */
async function saveUnconfirmedRequest(
  tx: Transaction,
  order: OwnedOrder,
  { kind, reason }: RefundRequestInput,
): Promise<RefundRequest> {
  const statement = { reason, requestedAt: sql`now()` }
  const [replacedRequest] = await tx
    .update(refundRequests)
    .set(statement)
    .where(
      and(
        eq(refundRequests.orderId, order.id),
        eq(refundRequests.kind, kind),
        eq(refundRequests.status, 'stated'),
      ),
    )
    .returning()
  if (replacedRequest) {
    return replacedRequest
  }

  const [newRequest] = await tx
    .insert(refundRequests)
    .values({ id: randomId(), orderId: order.id, uid: order.uid, kind, ...statement })
    .returning()
  if (!newRequest) {
    throw new Error('A refund request was not stored.')
  }

  return newRequest
}
