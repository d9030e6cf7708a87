import { eq, min, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { type ReceiptDocument, receiptCounter, receipts } from '~/server/database/schema'
import type { Order } from '../order-record.server'
import type { Shop } from '../shop.server'
import { containedTax } from './tax'

export type IssuedReceipt = { number: number; document: ReceiptDocument }

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
  const issued = await sumIssuedDocuments(tx, order.id)
  const isCreditNote = amountMinor < 0

  // The tax is rounded for all documents of the order together, so that several credit notes do not
  // take back a cent too much.
  const taxAfterMinor = containedTax(issued.totalMinor + amountMinor, order.taxBasisPoints)
  const document: ReceiptDocument = {
    kind: isCreditNote ? 'credit note' : 'receipt',
    orderId: order.id,
    corrects: isCreditNote && issued.firstNumber !== null ? issued.firstNumber : undefined,
    issuedAt: issuedAt.toISOString(),
    seller,
    buyer: order.buyer,
    courseTitle: order.courseTitle,
    currency: order.currency,
    ...getDiscount(order, amountMinor),
    totalMinor: amountMinor,
    taxBasisPoints: order.taxBasisPoints,
    taxMinor: taxAfterMinor - issued.taxMinor,
  }

  const number = await takeReceiptNumber(tx)
  await tx.insert(receipts).values({ number, orderId: order.id, ledgerId, document, issuedAt })
}

async function sumIssuedDocuments(tx: Transaction, orderId: string) {
  const [sums] = await tx
    .select({
      totalMinor: sumOfDocuments('totalMinor'),
      taxMinor: sumOfDocuments('taxMinor'),
      firstNumber: min(receipts.number),
    })
    .from(receipts)
    .where(eq(receipts.orderId, orderId))
  if (!sums) {
    throw new Error('A sum has one row.')
  }

  return sums
}

const sumOfDocuments = (key: 'totalMinor' | 'taxMinor') =>
  sql<number>`coalesce(sum((${receipts.document} ->> ${key})::int), 0)::int`

/** Takes the next number. All other receipts wait until this transaction ends. */
async function takeReceiptNumber(tx: Transaction): Promise<number> {
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

  return counter.number
}

/** A credit note has no discount, and neither has a payment at a price that the order had before. */
function getDiscount({ couponCode, listMinor, totalMinor }: Order, amountMinor: number) {
  if (couponCode === null || amountMinor !== totalMinor) {
    return {}
  }

  return { discount: { code: couponCode, amountMinor: listMinor - totalMinor } }
}
