import { type SQL, sql } from 'drizzle-orm'
import { findUserByEmail } from '~/features/accounts/account-queries.server'
import { type OrderStatus, orderTransitions } from '~/features/orders/order-statuses'
import type { Database } from '~/server/database/client.server'
import {
  createCursorCondition,
  formatCursorTime,
  readCursor,
  rowsPerPage,
  toPage,
} from '~/server/database/list-pages.server'
import { cleanCode } from '~/ui/form/clean-text'
import type { DeskRequest } from '../desk-request.server'
import { containsEveryWord, readFilterText } from '../text-search.server'

export type OrdersPageData = Awaited<ReturnType<typeof loadOrdersPage>>

/** Loads a page of the orders that match the filter, newest first. */
export async function loadOrdersPage({ db, search }: DeskRequest) {
  const filter = { text: readFilterText(search), status: search.get('state') ?? '' }
  const conditions = await listConditions(db, filter)
  const orders = await listOrderRows(db, conditions, search)

  return { filter, ...toPage(orders) }
}

type OrderFilter = { text: string; status: string }

async function listConditions(db: Database, { text, status }: OrderFilter): Promise<SQL[]> {
  const conditions: SQL[] = []
  if (text) {
    conditions.push(await matchesText(db, text))
  }

  if (Object.hasOwn(orderTransitions, status)) {
    conditions.push(sql`o.state = ${status}`)
  }

  // The list also has a filter for orders whose learner waits for a decision about a refund.
  if (status === 'asked') {
    conditions.push(
      sql`o.id = any(array(select order_id from refund_requests where state = 'asked'))`,
    )
  }

  return conditions
}

/**
 * Compares an email address with the learner's. Any other text is compared with the order number
 * and the words of the course's title.
 */
async function matchesText(db: Database, text: string): Promise<SQL> {
  if (text.includes('@')) {
    const user = await findUserByEmail(db, text)
    return sql`o.uid = ${user?.id ?? ''}`
  }

  const isNumber = sql`o.id = ${cleanCode(text)}`
  const isInTitle = containsEveryWord(sql`o.course_title`, text)
  return sql`(${isNumber} or ${isInTitle})`
}

export type OrderRow = {
  id: string
  courseTitle: string
  status: OrderStatus
  totalMinor: number
  currency: string
  /** The learner's name. Null once the account is deleted. */
  name: string | null
  cursorAt: string
}

/**
 * Lists the orders of a page and one more, newest first.
 *
 * @param conditions may use the orders as `o`
 */
export async function listOrderRows(
  db: Database,
  conditions: readonly SQL[],
  search: URLSearchParams,
): Promise<OrderRow[]> {
  const isOnPage = createCursorCondition(readCursor(search), sql`o.created_at`, sql`o.id`)
  const { rows } = await db.execute<OrderRow>(sql`
    with page as materialized (
      select o.*
      from orders o
      where ${sql.join([isOnPage, ...conditions], sql` and `)}
      order by o.created_at desc, o.id desc
      limit ${rowsPerPage + 1}
    )
    select o.id,
      o.course_title as "courseTitle",
      o.state as status,
      o.total_minor as "totalMinor",
      o.currency,
      u.name,
      ${formatCursorTime(sql`o.created_at`)} as "cursorAt"
    from page o
      left join users u on u.id = o.uid
    order by o.created_at desc, o.id desc`)

  return rows
}
