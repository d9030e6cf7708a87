import { and, desc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { type SecurityEventKind, securityEvents } from '~/server/database/schema/index'
import { demoUid } from '../account-queries.server'
import { describeDevice } from './device-name.server'

const dayMs = 24 * 60 * 60_000
/** How long events are kept. */
const keptDays = 400
/** How far back a learner sees them. */
const shownDays = 90
/** Of each kind, so that strangers' wrong passwords push nothing else out. */
export const mostEventsOfKind = 100
/** The same for what a learner sees. */
const shownOfKind = 20

type NewEvent = {
  kind: SecurityEventKind
  way?: string
  /** What the browser calls itself; null for an operator. */
  userAgent: string | null
}

/**
 * Writes an event in the transaction of its cause. The demo account has no log, as strangers share
 * it.
 */
export async function recordSecurityEvent(
  db: Statements,
  uid: string,
  { kind, way, userAgent }: NewEvent,
): Promise<void> {
  if (uid === demoUid) {
    return
  }

  const device = userAgent === null ? null : describeDevice(userAgent).name
  await db.insert(securityEvents).values({ uid, kind, at: new Date(), id: randomId(), way, device })
  const isOfKind = and(eq(securityEvents.uid, uid), eq(securityEvents.kind, kind))
  const tooMany = db
    .select({ at: securityEvents.at, id: securityEvents.id })
    .from(securityEvents)
    .where(isOfKind)
    .orderBy(desc(securityEvents.at), desc(securityEvents.id))
    .offset(mostEventsOfKind)

  await db
    .delete(securityEvents)
    .where(and(isOfKind, sql`(${securityEvents.at}, ${securityEvents.id}) in ${tooMany}`))
}

/** Whether the account's log has an event of a kind from a time on. */
export async function happenedSince(
  db: Pick<Database, '$count'>,
  uid: string,
  kind: SecurityEventKind,
  since: Date,
): Promise<boolean> {
  const isOne = and(
    eq(securityEvents.uid, uid),
    eq(securityEvents.kind, kind),
    gte(securityEvents.at, since),
  )

  return (await db.$count(securityEvents, isOne)) > 0
}

const shownColumns = {
  id: securityEvents.id,
  kind: securityEvents.kind,
  at: securityEvents.at,
  way: securityEvents.way,
  device: securityEvents.device,
}

/** The newest events of each kind in the last 90 days, the newest first. */
export function listSecurityEvents(db: Pick<Database, 'select'>, uid: string, now = Date.now()) {
  const { kind, at, id } = securityEvents
  const place =
    sql<number>`row_number() over (partition by ${kind} order by ${at} desc, ${id} desc)`.as(
      'place',
    )
  const since = new Date(now - shownDays * dayMs)
  const placed = db
    .select({ ...shownColumns, place })
    .from(securityEvents)
    .where(and(eq(securityEvents.uid, uid), gt(at, since)))
    .as('placed')

  return db
    .select({
      id: placed.id,
      kind: placed.kind,
      at: placed.at,
      way: placed.way,
      device: placed.device,
    })
    .from(placed)
    .where(lte(placed.place, shownOfKind))
    .orderBy(desc(placed.at), desc(placed.id))
}

/** Removes events that are too old. */
export async function purgeSecurityEvents(db: Database, now = Date.now()): Promise<void> {
  await db.delete(securityEvents).where(lt(securityEvents.at, new Date(now - keptDays * dayMs)))
}
