import { sql } from 'drizzle-orm'
import { findUserByEmail } from '~/features/accounts/account-queries.server'
import {
  cursorTime,
  cutPage,
  filterText,
  isAfter,
  pageRows,
  readCursor,
} from '~/server/database/list-pages.server'
import type { DeskRequest } from '../desk-request.server'

export type GiftRow = {
  /** The order's number. */
  id: string
  courseTitle: string
  state: GiftState
  /** Null once the giver's account is deleted. */
  recipient: string | null
  giver: { uid: string; name: string } | null
  redeemedAt: string | null
  /** Null before the gift is redeemed, and once that account is deleted. */
  redeemer: { uid: string; name: string } | null
  cursorAt: string
}

export type GiftState = keyof typeof states

const states = {
  waiting: sql`(o.state = 'paid' and g.redeemed_at is null)`,
  redeemed: sql`(o.state = 'paid' and g.redeemed_at is not null)`,
  paying: sql`(o.state = 'processing')`,
  ended: sql`(o.state = 'refunded')`,
}

/**
 * Gifts that are paid, or whose payment is under way, newest first. Their codes stay secret: each
 * opens a course.
 */
export async function loadGiftsPage({ db, search }: DeskRequest) {
  const text = filterText(search)
  const state = search.get('state') ?? ''
  const giver = text.includes('@') ? ((await findUserByEmail(db, text))?.id ?? '') : ''
  const wanted = [
    sql`o.state in ('processing', 'paid', 'refunded')`,
    isAfter(readCursor(search), sql`g.created_at`, sql`g.order_id`),
    text &&
      sql`(g.order_id = upper(${text}) or lower(g.recipient_email) = lower(${text}) or g.uid = ${giver})`,
    Object.hasOwn(states, state) && states[state as GiftState],
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await db.execute<GiftRow>(sql`
    with page as materialized (
      select g.*, o.course_title, case when ${states.redeemed} then 'redeemed' when ${states.waiting} then 'waiting'
        when ${states.paying} then 'paying' else 'ended' end as state
      from gifts g join orders o on o.id = g.order_id where ${sql.join(wanted, sql` and `)}
      order by g.created_at desc, g.order_id desc limit ${pageRows + 1})
    select g.order_id as id, g.course_title as "courseTitle", g.state, g.recipient_email as recipient,
      case when u.id is not null then json_build_object('uid', u.id, 'name', u.name) end as giver,
      case when r.id is not null then json_build_object('uid', r.id, 'name', r.name) end as redeemer,
      ${cursorTime(sql`g.redeemed_at`)} as "redeemedAt", ${cursorTime(sql`g.created_at`)} as "cursorAt"
    from page g left join users u on u.id = g.uid left join users r on r.id = g.redeemed_by
    order by g.created_at desc, g.order_id desc`)

  return { filter: { text, state }, ...cutPage(rows) }
}

export type GiftsPageData = NonNullable<Awaited<ReturnType<typeof loadGiftsPage>>>
