import { and, eq, isNull, sql } from 'drizzle-orm'
import { findCoupon } from '~/features/orders/coupons/coupon-administration.server'
import { coupons } from '~/server/database/schema'
import type { DeskAction } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { cursorTime, cutPage, isAfter, pageRows, readCursor } from '../list-pages.server'
import type { OrderRow } from '../orders/orders-page.server'
import { couponLink, couponState, endMeant, offText, usesText } from './coupon-acts.server'

export const couponActions = {
  end: {
    name: 'coupons end',
    permission: 'run coupons',
    isSensitive: true,
    run({ transaction, form }) {
      const name = form.get('name')
      return endMeant(
        transaction,
        name === null ? { code: String(form.get('code') ?? '') } : { name: String(name) },
      )
    },
  },
} satisfies Record<string, DeskAction>

/** A coupon, and the orders that used it. */
export async function loadCouponPage({ db, params, search, now }: DeskRequest) {
  const coupon = await findCoupon(db, params.code ?? '')
  if (!coupon) {
    return null
  }

  const { code, name, courseIds, startsAt, endsAt, endedAt, maxUsesPerLearner } = coupon
  const { rows } = await db.execute<OrderRow>(sql`
    with page as materialized (
      select o.* from orders o where o.coupon_code = ${code} and ${isAfter(readCursor(search), sql`o.created_at`, sql`o.id`)}
      order by o.created_at desc, o.id desc limit ${pageRows + 1})
    select o.id, o.course_title as "courseTitle", o.state, o.total_minor as "totalMinor", o.currency, u.name,
      ${cursorTime(sql`o.created_at`)} as "cursorAt"
    from page o left join users u on u.id = o.uid order by o.created_at desc, o.id desc`)
  const { rows: courses } = await db.execute<{ id: string; title: string }>(
    sql`select id, title from courses where id = any(${sql.param(courseIds ?? [])}::text[]) order by title`,
  )

  return {
    coupon: { code, name, startsAt, endsAt, endedAt, maxUsesPerLearner },
    off: offText(coupon),
    uses: usesText(coupon),
    state: couponState(coupon, now),
    courses:
      courseIds && courses.map((course) => ({ ...course, link: couponLink(code, course.id) })),
    anyLink: couponLink(code, 'COURSE'),
    sameName: name === '' ? 1 : await db.$count(coupons, eq(coupons.name, name)),
    notEnded:
      name === ''
        ? 0
        : await db.$count(coupons, and(eq(coupons.name, name), isNull(coupons.endedAt))),
    ...cutPage(rows),
  }
}

export type CouponPageData = NonNullable<Awaited<ReturnType<typeof loadCouponPage>>>
