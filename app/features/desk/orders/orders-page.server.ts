import { sql } from 'drizzle-orm'
import { findUserByEmail } from '~/features/accounts/account-queries.server'
import { createLikePattern } from '~/features/catalog/search/search-source.server'
import { type OrderState, orderTransitions } from '~/features/orders/order-states'
import type { Database } from '~/server/database/client.server'
import {
  cursorTime,
  cutPage,
  filterText,
  isAfter,
  pageRows,
  readCursor,
} from '~/server/database/list-pages.server'
import type { DeskRequest } from '../desk-request.server'

export type OrderRow = {
  id: string
  courseTitle: string
  state: OrderState
  totalMinor: number
  currency: string
  /** Null once the account is deleted. */
  name: string | null
  cursorAt: string
}

export async function loadOrdersPage({ db, search }: DeskRequest) {
  const text = filterText(search)
  const state = search.get('state') ?? ''
  const wanted = [
    isAfter(readCursor(search), sql`o.created_at`, sql`o.id`),
    text && (await matches(db, text)),
    Object.hasOwn(orderTransitions, state) && sql`o.state = ${state}`,
    state === 'asked' &&
      sql`o.id = any(array(select order_id from refund_requests where state = 'asked'))`,
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await db.execute<OrderRow>(sql`
    with page as materialized (
      select o.* from orders o where ${sql.join(wanted, sql` and `)} order by o.created_at desc, o.id desc limit ${pageRows + 1})
    select o.id, o.course_title as "courseTitle", o.state, o.total_minor as "totalMinor", o.currency, u.name,
      ${cursorTime(sql`o.created_at`)} as "cursorAt"
    from page o left join users u on u.id = o.uid order by o.created_at desc, o.id desc`)

  return { filter: { text, state }, ...cutPage(rows) }
}

/**
 * An address finds its learner's orders; other text is the number of an order, or a part of the
 * course's title.
 */
async function matches(db: Database, text: string) {
  if (text.includes('@')) {
    return sql`o.uid = ${(await findUserByEmail(db, text))?.id ?? ''}`
  }

  return sql`(o.id = upper(${text}) or lower(o.course_title) like lower(${createLikePattern(text)}))`
}

export type OrdersPageData = NonNullable<Awaited<ReturnType<typeof loadOrdersPage>>>
