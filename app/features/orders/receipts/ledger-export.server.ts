import { sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'

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
        l.at::text,
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
