import { eq, min, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { type ReceiptDocument, receiptCounter, receipts } from '~/server/database/schema'
import type { Order, Shop } from '../shop.server'
import { containedTax } from './tax'

/**
 * Writes a receipt, or a credit note for a negative amount, as it will be shown for good. Its
 * number is taken in the same transaction: a failure takes none, and there is no gap.
 *
 * @param ledgerId the movement of money that it is about; each has one document at most.
 */
export async function issueReceipt(
  transaction: Transaction,
  { seller }: Pick<Shop, 'seller'>,
  order: Order,
  ledgerId: string,
  amountMinor: number,
): Promise<void> {
  const issuedAt = new Date()
  const [before = { totalMinor: 0, taxMinor: 0, first: null }] = await transaction
    .select({
      totalMinor: sumOf('totalMinor'),
      taxMinor: sumOf('taxMinor'),
      first: min(receipts.number),
    })
    .from(receipts)
    .where(eq(receipts.orderId, order.id))
  const document: ReceiptDocument = {
    kind: amountMinor < 0 ? 'credit note' : 'receipt',
    orderId: order.id,
    corrects: amountMinor < 0 && before.first !== null ? before.first : undefined,
    issuedAt: issuedAt.toISOString(),
    seller,
    buyer: order.buyer,
    courseTitle: order.courseTitle,
    currency: order.currency,
    ...discountOf(order, amountMinor),
    totalMinor: amountMinor,
    taxBasisPoints: order.taxBasisPoints,
    // Rounded for all of the order's documents together, so that several credit notes take back no
    // cent too much.
    taxMinor: containedTax(before.totalMinor + amountMinor, order.taxBasisPoints) - before.taxMinor,
  }
  const [counter] = await transaction
    .insert(receiptCounter)
    .values({ id: 1, last: 1 })
    .onConflictDoUpdate({
      target: receiptCounter.id,
      set: { last: sql`${receiptCounter.last} + 1` },
    })
    .returning({ number: receiptCounter.last })

  if (!counter) {
    throw new Error('There is no number for a receipt.')
  }

  await transaction
    .insert(receipts)
    .values({ number: counter.number, orderId: order.id, ledgerId, document, issuedAt })
}

/** A payment for an earlier price has no discount, and neither has a credit note. */
function discountOf({ couponCode, listMinor, totalMinor }: Order, amountMinor: number) {
  if (!couponCode || amountMinor !== totalMinor) {
    return {}
  }

  return { discount: { code: couponCode, amountMinor: listMinor - totalMinor } }
}

const sumOf = (key: 'totalMinor' | 'taxMinor') =>
  sql<number>`coalesce(sum((${receipts.document} ->> ${key})::int), 0)::int`

export type IssuedReceipt = { number: number; document: ReceiptDocument }
