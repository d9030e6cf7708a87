import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { courses, orders, receipts } from '~/server/database/schema'
import type { CheckoutOffer } from './checkout-page'
import type { PaidOrder } from './paid-page'
import type { Purchase } from './purchases-page'
import type { IssuedReceipt } from './receipts.server'
import type { Shop } from './shop.server'

/** @returns null for a course that is not sold. */
export async function findOffer({ db, ...shop }: Shop, courseId: string): Promise<CheckoutOffer | null> {
  const [course] = await db
    .select({
      id: courses.id,
      title: courses.title,
      instructorName: courses.instructorName,
      priceMinor: courses.priceCents,
      originalMinor: courses.originalPriceCents,
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))
  if (!course || course.priceMinor === 0) return null
  const { '*': otherBasisPoints = 0, ...byCountry } = shop.taxRates
  const countries = Object.entries(byCountry).map(([code, basisPoints]) => ({ code, basisPoints }))
  return { course, currency: shop.currency, seller: shop.seller.name, countries, otherBasisPoints }
}

/** A learner's own order. */
export async function findPaidOrder(db: Database, uid: string, orderId: string): Promise<PaidOrder | null> {
  const shown = { id: orders.id, courseId: orders.courseId, courseTitle: orders.courseTitle, state: orders.state }
  const [order] = await db
    .select(shown)
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.uid, uid)))
  return order ?? null
}

const mostPurchases = 200

/** A learner's orders, the newest first. Orders that were given up without a payment are left out. */
export async function listPurchases(db: Database, uid: string): Promise<Purchase[]> {
  const { rows } = await db.execute<Purchase>(sql`
    select o.id, o.course_id as "courseId", o.course_title as "courseTitle", o.state, o.total_minor as "totalMinor", o.currency,
      to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "orderedAt",
      coalesce((select json_agg(json_build_object('number', r.number, 'kind', r.document ->> 'kind') order by r.number)
        from receipts r where r.order_id = o.id), '[]') as documents
    from orders o where o.uid = ${uid} and o.state <> 'canceled'
    order by o.created_at desc limit ${mostPurchases}`)
  return rows
}

/** A receipt or credit note of a learner's own order. */
export async function findReceipt(db: Database, uid: string, number: number): Promise<IssuedReceipt | null> {
  const [receipt] = await db
    .select({ number: receipts.number, document: receipts.document })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(and(eq(receipts.number, number), eq(orders.uid, uid)))
    .orderBy(desc(receipts.number))
  return receipt ?? null
}
