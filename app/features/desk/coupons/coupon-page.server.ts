import { and, eq, isNull, sql } from 'drizzle-orm'
import { endCoupons } from '~/features/orders/coupons/coupon-actions.server'
import {
  couponUrl,
  findCoupon,
  formatDiscount,
  formatUses,
  getCouponState,
} from '~/features/orders/coupons/coupon-queries.server'
import { orderStaffActions } from '~/features/orders/order-change.server'
import {
  cursorTime,
  cutPage,
  isAfter,
  pageRows,
  readCursor,
} from '~/server/database/list-pages.server'
import { coupons } from '~/server/database/schema'
import { type DeskAction, textOf } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import type { OrderRow } from '../orders/orders-page.server'

export const couponActions = {
  end: {
    ...orderStaffActions.endCoupons,
    perform(submitted) {
      // The page has one form that ends this code, and one that ends all codes with its name.
      const selection = submitted.form.has('name')
        ? { name: textOf(submitted, 'name') }
        : { code: textOf(submitted, 'code') }
      return endCoupons(submitted.actionContext, selection)
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
    off: formatDiscount(coupon),
    uses: formatUses(coupon),
    state: getCouponState(coupon, now),
    courses:
      courseIds && courses.map((course) => ({ ...course, link: couponUrl(code, course.id) })),
    anyLink: couponUrl(code, 'COURSE'),
    sameName: name === '' ? 1 : await db.$count(coupons, eq(coupons.name, name)),
    notEnded:
      name === ''
        ? 0
        : await db.$count(coupons, and(eq(coupons.name, name), isNull(coupons.endedAt))),
    ...cutPage(rows),
  }
}

export type CouponPageData = NonNullable<Awaited<ReturnType<typeof loadCouponPage>>>
