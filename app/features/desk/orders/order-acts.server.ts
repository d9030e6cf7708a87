import { currencyDecimals, moneyText } from '~/features/orders/money'
import { describeOrder, markPaidByTransfer, requestRefund } from '~/features/orders/order-administration.server'
import { declineRequest, grantRequest } from '~/features/orders/refund-requests/refund-answers.server'
import { sendRefunds } from '~/features/orders/refunds.server'
import type { Shop } from '~/features/orders/shop.server'
import { StartError } from '~/server/env.server'
import type { Transaction } from '~/server/operations/audit.server'

/** What `npm run admin` and the desk do to an order. They refuse by a `StartError` with a sentence. */

/**
 * Asks for a refund; `finishRefund` sends it once this is committed.
 *
 * @param amount a part as somebody typed it, like '10.50'; '' for everything that is left.
 */
export async function beginRefund(
  transaction: Transaction,
  { currency }: Pick<Shop, 'currency'>,
  id: string,
  { amount, reason }: { amount: string; reason: string },
) {
  const done = await requestRefund(transaction, id, { amountMinor: amountOf(amount, currency), reason })
  return {
    subject: done.order.uid,
    arguments: { order: done.order.id, amount: moneyText(done.amountMinor, done.order.currency), reason },
    outcome: `A refund of ${moneyText(done.amountMinor, done.order.currency)} is on its way.`,
    orderId: done.order.id,
  }
}

/** @throws {StartError} if the payment provider refuses it. */
export async function finishRefund(shop: Shop, orderId: string): Promise<void> {
  await sendRefunds(shop, orderId)
  const sent = (await describeOrder(shop.db, orderId)).refunds.at(-1)
  if (sent?.state === 'failed')
    throw new StartError('The payment provider refused this refund. Nothing was given back.')
}

/** Gives back what the learner asked for; `finishRefund` sends it once this is committed. @param amount as for `beginRefund`. */
export async function grantAsked(
  transaction: Transaction,
  { currency }: Pick<Shop, 'currency'>,
  id: string,
  amount: string,
) {
  const { order, amountMinor } = await grantRequest(transaction, id, amountOf(amount, currency))
  const text = moneyText(amountMinor, order.currency)
  return {
    subject: order.uid,
    arguments: { order: order.id, amount: text },
    outcome: `A refund of ${text} is on its way.`,
    orderId: order.id,
  }
}

/** @param answer is mailed. */
export async function declineAsked(transaction: Transaction, id: string, answer: string) {
  const order = await declineRequest(transaction, id, answer)
  return {
    subject: order.uid,
    arguments: { order: order.id, reason: answer },
    outcome: 'The request is declined, and the learner gets an email with the reason.',
  }
}

export async function payByTransfer(transaction: Transaction, shop: Shop, id: string) {
  const order = await markPaidByTransfer(transaction, shop, id)
  return {
    subject: order.uid,
    arguments: { order: order.id },
    outcome: 'The order is paid, and the learner enrolled.',
  }
}

/**
 * @param text an amount as somebody typed it, like '10.50'; nothing stands for everything that is left.
 * @returns in the currency's smallest unit. @throws {StartError}
 */
export function amountOf(text: unknown, currency: string): number | null {
  if (text === undefined || text === '') return null
  const decimals = currencyDecimals(currency)
  const [, whole, part = ''] = /^(\d{1,7})(?:\.(\d+))?$/.exec(String(text)) ?? []
  if (whole === undefined || part.length > decimals) throw new StartError('Give an amount like 10.50.')
  return Number(whole + part.padEnd(decimals, '0'))
}
