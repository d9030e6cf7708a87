import {
  describeOrder,
  endFreeOrder,
  getOrder,
  markPaidByTransfer,
  requestRefund,
} from '~/features/orders/order-administration.server'
import { declineRequest, grantRequest } from '~/features/orders/refunds/refund-answers.server'
import { sendRefunds } from '~/features/orders/refunds/refunds.server'
import type { Shop } from '~/features/orders/shop.server'
import { formatMoney, parseOptionalAmount } from '~/features/school/money'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { reportError } from '~/server/operations/log.server'
import { withOrderChanges } from './order-changes.server'

/**
 * The acts on orders, for `npm run admin` and the desk. A refusal is a `StartError` with a
 * sentence.
 */

/**
 * Asks for a refund; `finishRefund` sends it once this is committed.
 *
 * @param amount a part as somebody typed it, like '10.50'; '' for everything that is left.
 */
export async function beginRefund(
  transaction: Transaction,
  id: string,
  { amount, reason }: { amount: string; reason: string },
) {
  return withOrderChanges(transaction, id, async () => {
    const done = await requestRefund(transaction, id, {
      amountMinor: await readAmount(transaction, id, amount),
      reason,
    })
    return {
      subject: done.order.uid,
      arguments: {
        order: done.order.id,
        amount: formatMoney(done.amountMinor, done.order.currency),
        reason,
      },
      outcome: `A refund of ${formatMoney(done.amountMinor, done.order.currency)} is on its way.`,
      orderId: done.order.id,
    }
  })
}

/** @throws {StartError} if the payment provider refuses it. */
export async function finishRefund(shop: Shop, orderId: string): Promise<void> {
  // The background work repeats what fails here, as while the provider can't be reached.
  await sendRefunds(shop, orderId).catch((error) => reportError(error))
  const sent = (await describeOrder(shop.db, orderId)).refunds.at(-1)
  if (sent?.state === 'failed') {
    throw new StartError('The payment provider refused this refund. Nothing was given back.')
  }
}

export async function payByTransfer(transaction: Transaction, shop: Shop, id: string) {
  return withOrderChanges(transaction, id, async () => {
    const order = await markPaidByTransfer(transaction, shop, id)
    return {
      subject: order.uid,
      arguments: { order: order.id },
      outcome: order.isGift
        ? 'The order is paid, and the gift is sent.'
        : 'The order is paid, and the learner enrolled.',
    }
  })
}

/** @param reason only staff see it. */
export async function endOrder(transaction: Transaction, id: string, reason: string) {
  return withOrderChanges(transaction, id, async () => {
    const order = await endFreeOrder(transaction, id)
    const outcome = 'The order’s access has ended, and the learner gets an email.'
    return { subject: order.uid, arguments: { order: order.id, reason }, outcome }
  })
}

/**
 * Gives back what a learner asked for; `finishRefund` sends it.
 *
 * @param amount as in `beginRefund`.
 */
export async function grantRefund(transaction: Transaction, id: string, amount: string) {
  return withOrderChanges(transaction, id, async () => {
    const { order, amountMinor } = await grantRequest(
      transaction,
      id,
      await readAmount(transaction, id, amount),
    )
    const outcome = `A refund of ${formatMoney(amountMinor, order.currency)} is on its way.`
    return { subject: order.uid, arguments: { order: order.id }, outcome, orderId: order.id }
  })
}

/** @param reason is mailed to the learner. */
export async function declineRefund(transaction: Transaction, id: string, reason: string) {
  return withOrderChanges(transaction, id, async () => {
    const order = await declineRequest(transaction, id, reason)
    const outcome = 'The request is declined, and the learner gets an email with the reason.'
    return { subject: order.uid, arguments: { order: order.id, reason }, outcome }
  })
}

/** In the order's own currency, which the site's may have been before. */
async function readAmount(
  transaction: Transaction,
  id: string,
  text: string,
): Promise<number | null> {
  if (text === '') {
    return null
  }

  return amountOf(text, (await getOrder(transaction, id)).currency)
}

/** @throws {StartError} */
export function amountOf(text: string, currency: string): number | null {
  const amount = parseOptionalAmount(text, currency)
  if (!amount.ok) {
    throw new StartError(amount.problem)
  }

  return amount.value
}
