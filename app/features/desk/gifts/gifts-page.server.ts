import { type SQL, sql } from 'drizzle-orm'
import { findUserByEmail } from '~/features/accounts/account-queries.server'
import type { Database } from '~/server/database/client.server'
import {
  type Cursor,
  createCursorCondition,
  formatCursorTime,
  readCursor,
  rowsPerPage,
  toPage,
} from '~/server/database/list-pages.server'
import { cleanCode } from '~/ui/form/clean-text'
import type { DeskRequest } from '../desk-request.server'
import { readFilterText } from '../text-search.server'

export type GiftsPageData = Awaited<ReturnType<typeof loadGiftsPage>>

/**
 * Loads a page of the gifts that are paid, or whose payment is under way, newest first. It leaves
 * out the codes, because anybody can open a course with the code of a gift.
 */
export async function loadGiftsPage({ db, search }: DeskRequest) {
  const filter = { text: readFilterText(search), status: search.get('state') ?? '' }
  const conditions = await listConditions(db, filter)
  const gifts = await listGifts(db, conditions, readCursor(search))

  return { filter, ...toPage(gifts) }
}

type GiftFilter = { text: string; status: string }

export type GiftStatus = keyof typeof statusConditions

const statusConditions = {
  waiting: sql`(o.state = 'paid' and g.redeemed_at is null)`,
  redeemed: sql`(o.state = 'paid' and g.redeemed_at is not null)`,
  paying: sql`(o.state = 'processing')`,
  ended: sql`(o.state = 'refunded')`,
}

async function listConditions(db: Database, { text, status }: GiftFilter): Promise<SQL[]> {
  const conditions = [sql`o.state in ('processing', 'paid', 'refunded')`]
  if (text) {
    conditions.push(await matchesText(db, text))
  }

  if (isGiftStatus(status)) {
    conditions.push(statusConditions[status])
  }

  return conditions
}

function isGiftStatus(text: string): text is GiftStatus {
  return Object.hasOwn(statusConditions, text)
}

/** Compares the text with the order number and the email addresses of the recipient and giver. */
async function matchesText(db: Database, text: string): Promise<SQL> {
  const giver = text.includes('@') ? await findUserByEmail(db, text) : null
  const isOrder = sql`g.order_id = ${cleanCode(text)}`
  const isRecipient = sql`lower(g.recipient_email) = lower(${text})`
  const isGiver = sql`g.uid = ${giver?.id ?? ''}`

  return sql`(${isOrder} or ${isRecipient} or ${isGiver})`
}

export type GiftRow = {
  /** The order's number. */
  id: string
  courseTitle: string
  status: GiftStatus
  /** The recipient's email address. Null once the giver's account is deleted. */
  recipient: string | null
  giver: { uid: string; name: string } | null
  redeemedAt: string | null
  /** Null before the gift is redeemed, and once the redeemer's account is deleted. */
  redeemer: { uid: string; name: string } | null
  cursorAt: string
}

async function listGifts(
  db: Database,
  conditions: readonly SQL[],
  cursor: Cursor | null,
): Promise<GiftRow[]> {
  const isOnPage = createCursorCondition(cursor, sql`g.created_at`, sql`g.order_id`)
  const { rows } = await db.execute<GiftRow>(sql`
    with page as materialized (
      select g.*,
        o.course_title,
        case
          when ${statusConditions.redeemed} then 'redeemed'
          when ${statusConditions.waiting} then 'waiting'
          when ${statusConditions.paying} then 'paying'
          else 'ended'
        end as status
      from gifts g
        join orders o on o.id = g.order_id
      where ${sql.join([isOnPage, ...conditions], sql` and `)}
      order by g.created_at desc, g.order_id desc
      limit ${rowsPerPage + 1}
    )
    select g.order_id as id,
      g.course_title as "courseTitle",
      g.status,
      g.recipient_email as recipient,
      case
        when giver.id is not null
        then json_build_object('uid', giver.id, 'name', giver.name)
      end as giver,
      case
        when redeemer.id is not null
        then json_build_object('uid', redeemer.id, 'name', redeemer.name)
      end as redeemer,
      ${formatCursorTime(sql`g.redeemed_at`)} as "redeemedAt",
      ${formatCursorTime(sql`g.created_at`)} as "cursorAt"
    from page g
      left join users giver on giver.id = g.uid
      left join users redeemer on redeemer.id = g.redeemed_by
    order by g.created_at desc, g.order_id desc`)

  return rows
}
