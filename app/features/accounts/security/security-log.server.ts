/**
 * The security log of an account: sign-ins, wrong passwords and changes of how to sign in. The demo
 * account has no log, because strangers share it.
 */

import { and, desc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { type SecurityEventKind, securityEvents } from '~/server/database/schema/index'
import { demoUid } from '../account-queries.server'
import { describeDevice } from './device-name.server'

const dayMs = 24 * 60 * 60_000
const storedDays = 400
const displayedDays = 90

/**
 * The limit counts each kind of event separately. So wrong passwords, which strangers can enter,
 * never displace other events.
 */
export const maxEventsPerKind = 100
const maxDisplayedEventsPerKind = 20

type NewSecurityEvent = {
  kind: SecurityEventKind
  /** The method that was used to sign in, added or removed. */
  way?: string
  /** The User-Agent header; null if the school's staff caused the event. */
  userAgent: string | null
}

/** Records an event. The caller passes the transaction of the change that the event is about. */
export async function recordSecurityEvent(
  db: Statements,
  uid: string,
  { kind, way, userAgent }: NewSecurityEvent,
): Promise<void> {
  if (uid === demoUid) {
    return
  }

  const device = userAgent === null ? null : describeDevice(userAgent).name
  await db.insert(securityEvents).values({ uid, kind, at: new Date(), id: randomId(), way, device })

  const isOfSameKind = and(eq(securityEvents.uid, uid), eq(securityEvents.kind, kind))
  const surplusEvents = db
    .select({ at: securityEvents.at, id: securityEvents.id })
    .from(securityEvents)
    .where(isOfSameKind)
    .orderBy(desc(securityEvents.at), desc(securityEvents.id))
    .offset(maxEventsPerKind)
  await db
    .delete(securityEvents)
    .where(and(isOfSameKind, sql`(${securityEvents.at}, ${securityEvents.id}) in ${surplusEvents}`))
}

/** Returns whether the account's log has an event of a kind at or after a time. */
export async function hasSecurityEventSince(
  db: Pick<Database, '$count'>,
  uid: string,
  kind: SecurityEventKind,
  since: Date,
): Promise<boolean> {
  const matchingEvents = await db.$count(
    securityEvents,
    and(eq(securityEvents.uid, uid), eq(securityEvents.kind, kind), gte(securityEvents.at, since)),
  )

  return matchingEvents > 0
}

/** Returns the events that the learner sees, newest first: the newest 20 of each kind in 90 days. */
export function listSecurityEvents(db: Pick<Database, 'select'>, uid: string, now = Date.now()) {
  const since = new Date(now - displayedDays * dayMs)
  const { kind, at, id } = securityEvents
  const rank =
    sql<number>`row_number() over (partition by ${kind} order by ${at} desc, ${id} desc)`.as('rank')
  const rankedEvents = db
    .select({
      id: securityEvents.id,
      kind: securityEvents.kind,
      at: securityEvents.at,
      way: securityEvents.way,
      device: securityEvents.device,
      rank,
    })
    .from(securityEvents)
    .where(and(eq(securityEvents.uid, uid), gt(at, since)))
    .as('ranked_events')

  return db
    .select({
      id: rankedEvents.id,
      kind: rankedEvents.kind,
      at: rankedEvents.at,
      way: rankedEvents.way,
      device: rankedEvents.device,
    })
    .from(rankedEvents)
    .where(lte(rankedEvents.rank, maxDisplayedEventsPerKind))
    .orderBy(desc(rankedEvents.at), desc(rankedEvents.id))
}

/** Deletes the events that are too old to be stored. */
export async function purgeSecurityEvents(db: Database, now = Date.now()): Promise<void> {
  const oldestStoredAt = new Date(now - storedDays * dayMs)
  await db.delete(securityEvents).where(lt(securityEvents.at, oldestStoredAt))
}
