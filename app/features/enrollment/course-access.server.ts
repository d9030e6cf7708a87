import { type SQL, sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { paymentMode } from '~/server/site/site.server'

/**
 * Decides who may learn a course.
 *
 * A learner has access in one of two ways:
 * - by order: an order of their own, or a gift that they redeemed, is paid and not refunded;
 * - by grant: an enrollment without an order, because the course was free or staff gave it.
 *
 * Access is always read from these rows. There is no separate flag that could be out of date.
 */

/**
 * Returns whether the school sells courses. If not, every course is free. A school whose sales are
 * paused still sells: its courses are not free.
 */
export function sellsCourses(): boolean {
  return paymentMode() !== 'off'
}

/** Returns whether a course with this price has to be bought. */
export function isForSaleAtPrice(priceMinor: number): boolean {
  return sellsCourses() && priceMinor > 0
}

/**
 * Returns an SQL condition that is true if the learner has a paid order for the course.
 *
 * @param uid a value or a column
 * @param courseId a value or a column
 */
export function hasPaidOrder(uid: string | SQL, courseId: string | SQL): SQL {
  return sql`(
    exists (
      select from orders o
      where o.uid = ${uid} and o.course_id = ${courseId}
        and o.state = 'paid' and not o.is_gift)
    or exists (
      select from gifts g
      join orders o on o.id = g.order_id
      where g.redeemed_by = ${uid} and o.course_id = ${courseId} and o.state = 'paid'))`
}

export async function hasAccess(
  db: Pick<Statements, 'execute'>,
  uid: string,
  courseId: string,
): Promise<boolean> {
  const { rows } = await db.execute<{ hasAccess: boolean }>(sql`
    select ${hasPaidOrder(uid, courseId)} or exists (
      select from enrollments
      where uid = ${uid} and course_id = ${courseId} and not by_order) as "hasAccess"`)

  return rows[0]?.hasAccess ?? false
}

/** Returns whether the course is published and has to be bought. */
export async function isForSale(
  db: Pick<Statements, 'execute'>,
  courseId: string,
): Promise<boolean> {
  const { rows } = await db.execute<{ priceMinor: number }>(sql`
    select price_cents as "priceMinor"
    from courses
    where id = ${courseId} and published`)

  return rows.some(({ priceMinor }) => isForSaleAtPrice(priceMinor))
}
