import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { type SecurityEventKind, securityEvents } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import { demoUid } from '../account-queries.server'
import { describeDevice } from './device-name.server'

const dayMs = 24 * 60 * 60_000
/** How far back a learner sees them. */
const shownDays = 90
/** Of each kind, so that strangers' wrong passwords push nothing else out. */
export const mostEventsOfKind = 100
const mostShown = 50

type NewEvent = {
  kind: SecurityEventKind
  way?: string
  /** What the browser calls itself; null for an operator. */
  userAgent: string | null
}

/** Writes an event in the transaction of its cause. The demo account has no log, as strangers share it. */
export async function recordSecurityEvent(
  db: Statements,
  uid: string,
  { kind, way, userAgent }: NewEvent,
): Promise<void> {
  if (uid === demoUid) return
  const device = userAgent === null ? null : describeDevice(userAgent).name
  await db.insert(securityEvents).values({ uid, kind, at: new Date(), id: randomId(), way, device })
  const isOfKind = and(eq(securityEvents.uid, uid), eq(securityEvents.kind, kind))
  const tooMany = db
    .select({ at: securityEvents.at, id: securityEvents.id })
    .from(securityEvents)
    .where(isOfKind)
    .orderBy(desc(securityEvents.at), desc(securityEvents.id))
    .offset(mostEventsOfKind)
  await db.delete(securityEvents).where(and(isOfKind, sql`(${securityEvents.at}, ${securityEvents.id}) in ${tooMany}`))
}

/** The newest events of the last 90 days, the newest first. */
export function listSecurityEvents(db: Pick<Database, 'select'>, uid: string, now = Date.now()) {
  return listStoredEvents(db, uid, mostShown, new Date(now - shownDays * dayMs))
}

/** For operators: also what learners no longer see. */
export function listStoredEvents(db: Pick<Database, 'select'>, uid: string, limit: number, since = new Date(0)) {
  const { id, kind, at, way, device } = securityEvents
  return db
    .select({ id, kind, at, way, device })
    .from(securityEvents)
    .where(and(eq(securityEvents.uid, uid), gt(at, since)))
    .orderBy(desc(at), desc(id))
    .limit(limit)
}

/** Removes events that are too old. */
export async function purgeSecurityEvents(db: Database, now = Date.now()): Promise<void> {
  await db.delete(securityEvents).where(lt(securityEvents.at, new Date(now - env.SECURITY_LOG_DAYS * dayMs)))
}
