/** Receipts and credit notes: how they are issued, and how the bookkeeper gets them. */
import { eq, min, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { type ReceiptDocument, receiptCounter, receipts } from '~/server/database/schema'
import { siteTimeZone } from '~/server/site/site.server'
import type { Order } from '../order-record.server'
import type { Shop } from '../shop.server'
import { getContainedTax } from './tax'

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
  const taxAfterMinor = getContainedTax(issued.totalMinor + amountMinor, order.taxBasisPoints)
  const document: ReceiptDocument = {
    kind: isCreditNote ? 'credit note' : 'receipt',
    orderId: order.id,
    corrects: isCreditNote && issued.firstNumber !== null ? issued.firstNumber : undefined,
    issuedAt: issuedAt.toISOString(),
    timeZone: siteTimeZone(),
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
      totalMinor: sumDocumentColumn('totalMinor'),
      taxMinor: sumDocumentColumn('taxMinor'),
      firstNumber: min(receipts.number),
    })
    .from(receipts)
    .where(eq(receipts.orderId, orderId))
  if (!sums) {
    throw new Error('A sum without a group always has one row.')
  }

  return sums
}

function sumDocumentColumn(key: 'totalMinor' | 'taxMinor') {
  return sql<number>`coalesce(sum((${receipts.document} ->> ${key})::int), 0)::int`
}

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

/**
 * A credit note has no discount, and neither has a payment at a price that the order had before.
 */
function getDiscount({ couponCode, listMinor, totalMinor }: Order, amountMinor: number) {
  if (couponCode === null || amountMinor !== totalMinor) {
    return {}
  }

  return { discount: { code: couponCode, amountMinor: listMinor - totalMinor } }
}

/** A receipt or credit note with the movement of money that it documents. */
export type LedgerRow = {
  number: number
  kind: string
  at: string
  amountMinor: number
  currency: string
  taxMinor: number
  coupon: string | null
  discountMinor: number | null
  orderId: string
  courseId: string
  courseTitle: string
  isGift: boolean
  instructor: string
  country: string | null
  vatNumber: string | null
}

/** Yields all receipts and credit notes by number, in parts of at most `partSize` rows. */
export async function* listLedgerRows(
  tx: Transaction,
  partSize: number,
): AsyncGenerator<LedgerRow[]> {
  let lastNumber = 0

  while (true) {
    const { rows } = await tx.execute<LedgerRow>(sql`
      select r.number,
        r.document ->> 'kind' as kind,
        ${isoText(sql`l.at`)} as at,
        l.amount_minor as "amountMinor",
        l.currency,
        (r.document ->> 'taxMinor')::int as "taxMinor",
        r.document #>> '{discount,code}' as coupon,
        (r.document #>> '{discount,amountMinor}')::int as "discountMinor",
        o.id as "orderId",
        o.course_id as "courseId",
        o.course_title as "courseTitle",
        o.is_gift as "isGift",
        c.instructor_name as instructor,
        r.document -> 'buyer' ->> 'country' as country,
        r.document -> 'buyer' ->> 'vatNumber' as "vatNumber"
      from receipts r
        join ledger l on l.id = r.ledger_id
        join orders o on o.id = r.order_id
        join courses c on c.id = o.course_id
      where r.number > ${lastNumber}
      order by r.number
      limit ${partSize}`)
    yield rows

    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < partSize) {
      return
    }

    lastNumber = lastRow.number
  }
}
