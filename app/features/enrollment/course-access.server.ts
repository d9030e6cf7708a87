import { type SQL, sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { env } from '~/server/env.server'

/**
 * Who may learn a course. A learner has access by an order that is paid and not refunded, the own
 * one or that of a redeemed gift, or by a grant: an enrollment that came without an order, because
 * the course was free or an operator gave it. Nothing else opens a course, and no flag is turned
 * off later.
 */

/** Whether courses with a price have to be bought. */
export const sellsCourses = env.PAYMENTS !== 'off'

export function hasToBeBought(priceMinor: number): boolean {
  return sellsCourses && priceMinor > 0
}

/**
 * True for a learner with an order that grants the course. Both parameters are values or columns.
 */
export function hasPaidOrder(uid: string | SQL, courseId: string | SQL): SQL {
  return sql`(exists (select from orders o
      where o.uid = ${uid} and o.course_id = ${courseId} and o.state = 'paid' and not o.is_gift)
    or exists (select from gifts g join orders o on o.id = g.order_id
      where g.redeemed_by = ${uid} and o.course_id = ${courseId} and o.state = 'paid'))`
}

export async function hasAccess(
  db: Pick<Statements, 'execute'>,
  uid: string,
  courseId: string,
): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(sql`
    select ${hasPaidOrder(uid, courseId)}
      or exists (select from enrollments where uid = ${uid} and course_id = ${courseId} and not by_order) as has`)
  return rows[0]?.has ?? false
}

/** Whether the course is published and has to be bought. */
export async function isForSale(
  db: Pick<Statements, 'execute'>,
  courseId: string,
): Promise<boolean> {
  const { rows } = await db.execute<{ priceMinor: number }>(
    sql`select price_cents as "priceMinor" from courses where id = ${courseId} and published`,
  )
  return rows.some(({ priceMinor }) => hasToBeBought(priceMinor))
}
