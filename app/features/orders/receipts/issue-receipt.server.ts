import { eq, min, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { type ReceiptDocument, receiptCounter, receipts } from '~/server/database/schema'
import type { Order, Shop } from '../shop.server'
import { containedTax } from './tax'

type ReceiptInput = {
  order: Order
  /** The movement of money that the document is about. Each movement has at most one document. */
  ledgerId: string
  /** Negative for a credit note. */
  amountMinor: number
}

/**
 * Writes a receipt, or a credit note for a negative amount, as it will be shown forever. Its number
 * is taken in the same transaction, so a failure takes no number and leaves no gap.
 */
export async function issueReceipt(
  tx: Transaction,
  seller: Shop['seller'],
  { order, ledgerId, amountMinor }: ReceiptInput,
): Promise<void> {
  const issuedAt = new Date()
  const [before = { totalMinor: 0, taxMinor: 0, first: null }] = await tx
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
  const [counter] = await tx
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

  await tx
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
