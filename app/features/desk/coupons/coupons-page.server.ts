import { type SQL, sql } from 'drizzle-orm'
import { createLikePattern } from '~/features/catalog/search/search-source.server'
import { holdsCouponUse } from '~/features/orders/coupons/apply-coupon.server'
import { createCoupon, createCoupons } from '~/features/orders/coupons/coupon-actions.server'
import {
  formatDiscount,
  formatUses,
  getCouponState,
} from '~/features/orders/coupons/coupon-queries.server'
import type { SubmittedTerms } from '~/features/orders/coupons/coupon-terms.server'
import { orderStaffActions } from '~/features/orders/order-change.server'
import type { Database } from '~/server/database/client.server'
import {
  cursorTime,
  cutPage,
  filterText,
  isAfter,
  pageRows,
  readCursor,
} from '~/server/database/list-pages.server'
import { success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import { mostCoursesToTick } from '../courses-field'
import { type DeskAction, type SubmittedForm, textOf } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'

/** The actions of the coupons page, by the name that its forms send. */
export const couponsActions = {
  create: {
    ...orderStaffActions.createCoupon,
    async perform(submitted) {
      const input = { code: textOf(submitted, 'code'), terms: readTerms(submitted) }
      const result = await createCoupon(submitted.actionContext, input)
      if (!result.ok) {
        return result
      }

      const { outcome, code } = result.value
      return success({ outcome, onward: `/Desk/Coupons/${code}` })
    },
  },
  bulk: {
    ...orderStaffActions.createCoupons,
    async perform(submitted) {
      const input = { count: textOf(submitted, 'count'), terms: readTerms(submitted) }
      const result = await createCoupons(submitted.actionContext, input)
      if (!result.ok) {
        return result
      }

      // Codes that were made together share a page, which has the URL of the first one.
      const { outcome, codes } = result.value
      const [firstCode] = [...codes].sort()
      return success({ outcome, onward: `/Desk/Coupons/${firstCode}` })
    },
  },
} satisfies Record<string, DeskAction>

function readTerms(submitted: SubmittedForm): SubmittedTerms {
  return {
    percent: textOf(submitted, 'percent'),
    amount: textOf(submitted, 'amount'),
    courseIds: submitted.form.getAll('courses').map(String),
    from: textOf(submitted, 'from'),
    until: textOf(submitted, 'until'),
    uses: textOf(submitted, 'uses'),
    perLearner: textOf(submitted, 'perLearner'),
    name: textOf(submitted, 'name'),
  }
}

type Group = {
  /** The first code of the group. */
  id: string
  name: string
  codes: number
  percent: number | null
  amountMinor: number | null
  currency: string | null
  courses: number | null
  uses: number
  maxUses: number | null
  startsAt: string | null
  endsAt: string | null
  endedAt: string | null
  cursorAt: string
}

const lasts = sql`(c.ended_at is null and (c.ends_at is null or c.ends_at > now()))`

/** Coupons, newest first. Codes that were made together share a row. */
async function listGroups(db: Database, wanted: SQL[], after: SQL): Promise<Group[]> {
  const { rows } = await db.execute<Group>(sql`
    with page as materialized (
      select min(c.code) as id, c.name, c.created_at, array_agg(c.code) as held, min(c.percent) as percent,
        min(c.amount_minor) as amount, min(c.currency) as currency, min(cardinality(c.course_ids)) as courses,
        sum(c.max_uses)::int as most, min(c.starts_at) as starts_at, max(c.ends_at) as ends_at,
        case when bool_and(c.ended_at is not null) then max(c.ended_at) end as ended_at
      from coupons c where ${sql.join(wanted, sql` and `)} group by c.created_at, c.name having ${after}
      order by c.created_at desc, min(c.code) desc limit ${pageRows + 1})
    select id, name, cardinality(held) as codes, percent, amount as "amountMinor", currency, courses, most as "maxUses",
      (select count(*)::int from orders o where o.coupon_code = any(held) and ${holdsCouponUse}) as uses,
      starts_at as "startsAt", ends_at as "endsAt", ended_at as "endedAt", ${cursorTime(sql`created_at`)} as "cursorAt"
    from page order by created_at desc, id desc`)

  return rows
}

export async function loadCouponsPage({ db, search, now }: DeskRequest) {
  const text = filterText(search)
  const state = search.get('state') ?? ''
  const wanted = [
    sql`lower(c.code || ' ' || c.name) like lower(${createLikePattern(text)})`,
    ...(state === 'open' ? [lasts] : []),
    ...(state === 'over' ? [sql`not ${lasts}`] : []),
  ]
  const [groups, { rows: courses }] = await Promise.all([
    listGroups(db, wanted, isAfter(readCursor(search), sql`c.created_at`, sql`min(c.code)`)),
    db.execute<{ id: string; title: string }>(
      sql`select id, title from courses where published and price_cents > 0 order by title limit ${mostCoursesToTick}`,
    ),
  ])
  const { rows, next } = cutPage(groups)
  const dateOf = (text: string | null) => (text === null ? null : new Date(text))

  return {
    filter: { text, state },
    courses,
    hasMoreCourses: courses.length === mostCoursesToTick,
    currency: siteCurrency(),
    next,
    rows: rows.map((group) => {
      const times = {
        startsAt: dateOf(group.startsAt),
        endsAt: dateOf(group.endsAt),
        endedAt: dateOf(group.endedAt),
      }

      return {
        ...group,
        ...times,
        off: formatDiscount(group),
        usesText: formatUses(group),
        state: getCouponState({ ...group, ...times }, now),
      }
    }),
  }
}

export type CouponsPageData = NonNullable<Awaited<ReturnType<typeof loadCouponsPage>>>
