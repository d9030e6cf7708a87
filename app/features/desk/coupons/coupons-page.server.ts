/** The page of all coupons: the actions that create them, and the list with its filter. */
import { type SQL, sql } from 'drizzle-orm'
import { holdsCouponUse } from '~/features/orders/coupons/apply-coupon.server'
import { createCoupon, createCoupons } from '~/features/orders/coupons/coupon-actions.server'
import {
  formatDiscount,
  formatUses,
  getCouponStatus,
} from '~/features/orders/coupons/coupon-queries.server'
import type { SubmittedTerms } from '~/features/orders/coupons/coupon-terms.server'
import { orderStaffActions } from '~/features/orders/order-change.server'
import type { Database } from '~/server/database/client.server'
import { createLikePattern } from '~/server/database/like-pattern'
import {
  type Cursor,
  createCursorCondition,
  formatCursorTime,
  readCursor,
  rowsPerPage,
  toPage,
} from '~/server/database/list-pages.server'
import { success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import { cleanCode } from '~/ui/form/clean-text'
import { maxCourseCheckboxes } from '../courses-field'
import { type DeskAction, type DeskFormRequest, readText } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { containsEveryWord, readFilterText } from '../text-search.server'

/** The actions of the coupons page. */
export const couponsActions = {
  create: {
    ...orderStaffActions.createCoupon,
    async perform(request) {
      const input = { code: readText(request, 'code'), terms: readTerms(request) }
      const result = await createCoupon(request.actionContext, input)
      if (!result.ok) {
        return result
      }

      const { outcome, code } = result.value
      return success({ outcome, redirectTo: `/Desk/Coupons/${code}` })
    },
  },
  bulk: {
    ...orderStaffActions.createCoupons,
    async perform(request) {
      const input = { count: readText(request, 'count'), terms: readTerms(request) }
      const result = await createCoupons(request.actionContext, input)
      if (!result.ok) {
        return result
      }

      // Codes that were made together share a page, which has the URL of the first one.
      const { outcome, codes } = result.value
      const [firstCode] = [...codes].sort()
      return success({ outcome, redirectTo: `/Desk/Coupons/${firstCode}` })
    },
  },
} satisfies Record<string, DeskAction>

function readTerms(request: DeskFormRequest): SubmittedTerms {
  return {
    percent: readText(request, 'percent'),
    amount: readText(request, 'amount'),
    courseIds: request.form.getAll('courses').map(String),
    from: readText(request, 'from'),
    until: readText(request, 'until'),
    uses: readText(request, 'uses'),
    perLearner: readText(request, 'perLearner'),
    name: readText(request, 'name'),
  }
}

export type CouponsPageData = Awaited<ReturnType<typeof loadCouponsPage>>

/** Loads a page of the coupons that match the filter, and the courses that the forms offer. */
export async function loadCouponsPage({ db, search, now }: DeskRequest) {
  const filter = { text: readFilterText(search), status: search.get('state') ?? '' }
  const [groups, courses] = await Promise.all([
    listCouponGroups(db, filter, readCursor(search)),
    listCoursesForSale(db),
  ])
  const { rows, next } = toPage(groups)

  return {
    filter,
    courses,
    currency: siteCurrency(),
    next,
    rows: rows.map((group) => describeGroup(group, now)),
  }
}

type CouponFilter = { text: string; status: string }

/** Coupons that were made together with the same name. */
type CouponGroup = {
  /** The first code of the group. */
  id: string
  name: string
  codeCount: number
  percent: number | null
  amountMinor: number | null
  currency: string | null
  /** Null if the coupons are valid for all courses. */
  courseCount: number | null
  uses: number
  maxUses: number | null
  startsAt: string | null
  endsAt: string | null
  endedAt: string | null
  cursorAt: string
}

/** The condition that the coupon lowers prices now or later. */
const isActiveOrUpcoming = sql`(c.ended_at is null and (c.ends_at is null or c.ends_at > now()))`

/** Lists coupons, newest first. Codes that were made together share a row. */
async function listCouponGroups(
  db: Database,
  filter: CouponFilter,
  cursor: Cursor | null,
): Promise<CouponGroup[]> {
  const conditions = listConditions(filter)
  const { rows } = await db.execute<CouponGroup>(sql`
    with page as materialized (
      select min(c.code) as id,
        c.name,
        c.created_at,
        array_agg(c.code) as codes,
        min(c.percent) as percent,
        min(c.amount_minor) as amount_minor,
        min(c.currency) as currency,
        min(cardinality(c.course_ids)) as courses,
        sum(c.max_uses)::int as max_uses,
        min(c.starts_at) as starts_at,
        max(c.ends_at) as ends_at,
        case when bool_and(c.ended_at is not null) then max(c.ended_at) end as ended_at
      from coupons c
      where ${sql.join(conditions, sql` and `)}
      group by c.created_at, c.name
      having ${createCursorCondition(cursor, sql`c.created_at`, sql`min(c.code)`)}
      order by c.created_at desc, min(c.code) desc
      limit ${rowsPerPage + 1}
    )
    select p.id,
      p.name,
      cardinality(p.codes) as "codeCount",
      p.percent,
      p.amount_minor as "amountMinor",
      p.currency,
      p.courses as "courseCount",
      p.max_uses as "maxUses",
      (
        select count(*)::int
        from orders o
        where o.coupon_code = any(p.codes) and ${holdsCouponUse}
      ) as uses,
      p.starts_at as "startsAt",
      p.ends_at as "endsAt",
      p.ended_at as "endedAt",
      ${formatCursorTime(sql`p.created_at`)} as "cursorAt"
    from page p
    order by p.created_at desc, p.id desc`)

  return rows
}

function listConditions({ text, status }: CouponFilter): SQL[] {
  const conditions = [matchesText(text)]
  if (status === 'open') {
    conditions.push(isActiveOrUpcoming)
  }

  if (status === 'over') {
    conditions.push(sql`not ${isActiveOrUpcoming}`)
  }

  return conditions
}

/** Compares the text with the code, of which a part is enough, and with the words of the name. */
function matchesText(text: string): SQL {
  const isInCodeOrName = containsEveryWord(sql`c.code || ' ' || c.name`, text)
  const code = cleanCode(text)
  if (code === '') {
    return isInCodeOrName
  }

  return sql`(c.code like ${createLikePattern(code)} or ${isInCodeOrName})`
}

/** Lists the courses that the forms offer, by title. */
async function listCoursesForSale(db: Database) {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select id, title
    from courses
    where published and price_cents > 0
    order by title
    limit ${maxCourseCheckboxes}`)

  return rows
}

/** Returns a group with its discount, uses and status as the page shows them. */
function describeGroup(group: CouponGroup, now: Date) {
  const times = {
    startsAt: parseTime(group.startsAt),
    endsAt: parseTime(group.endsAt),
    endedAt: parseTime(group.endedAt),
  }

  return {
    ...group,
    ...times,
    discount: formatDiscount(group),
    usesText: formatUses(group),
    status: getCouponStatus({ ...group, ...times }, now),
  }
}

function parseTime(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
