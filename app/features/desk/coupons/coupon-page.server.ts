/** The page of one coupon: the action that ends it, and the orders that used it. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { endCoupons } from '~/features/orders/coupons/coupon-actions.server'
import {
  couponUrl,
  findCoupon,
  formatDiscount,
  formatUses,
  getCouponStatus,
} from '~/features/orders/coupons/coupon-queries.server'
import { orderStaffActions } from '~/features/orders/order-change.server'
import type { Database } from '~/server/database/client.server'
import { toPage } from '~/server/database/list-pages.server'
import { coupons } from '~/server/database/schema'
import { type DeskAction, readText } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { listOrderRows } from '../orders/orders-page.server'

/** The actions of a coupon's page. */
export const couponActions = {
  end: {
    ...orderStaffActions.endCoupons,
    perform(request) {
      // The page has one form that ends this code, and one that ends all codes with its name.
      const endedCoupons = request.form.has('name')
        ? { name: readText(request, 'name') }
        : { code: readText(request, 'code') }

      return endCoupons(request.actionContext, endedCoupons)
    },
  },
} satisfies Record<string, DeskAction>

export type CouponPageData = NonNullable<Awaited<ReturnType<typeof loadCouponPage>>>

/** Loads a coupon and a page of the orders that used it. Returns null if the code is unknown. */
export async function loadCouponPage({ db, params, search, now }: DeskRequest) {
  const coupon = await findCoupon(db, params.code ?? '')
  if (!coupon) {
    return null
  }

  const { code, name, courseIds, startsAt, endsAt, endedAt, maxUsesPerLearner } = coupon
  const orders = await listOrderRows(db, [sql`o.coupon_code = ${code}`], search)
  const courses = await listCourseTitles(db, courseIds ?? [])

  return {
    coupon: { code, name, startsAt, endsAt, endedAt, maxUsesPerLearner },
    discount: formatDiscount(coupon),
    uses: formatUses(coupon),
    status: getCouponStatus(coupon, now),
    /** Is null for a coupon that is valid for all courses. */
    courses:
      courseIds && courses.map((course) => ({ ...course, link: couponUrl(code, course.id) })),
    linkExample: couponUrl(code, 'COURSE'),
    ...(await countCouponsWithName(db, name)),
    ...toPage(orders),
  }
}

async function listCourseTitles(db: Database, courseIds: readonly string[]) {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select id, title
    from courses
    where id = any(${sql.param(courseIds)}::text[])
    order by title`)

  return rows
}

/**
 * Counts the codes that were made with the same name. Coupons without a name don't belong together.
 */
async function countCouponsWithName(db: Database, name: string) {
  if (name === '') {
    return { sameNameCount: 1, activeCount: 0 }
  }

  const hasName = eq(coupons.name, name)
  return {
    sameNameCount: await db.$count(coupons, hasName),
    activeCount: await db.$count(coupons, and(hasName, isNull(coupons.endedAt))),
  }
}
