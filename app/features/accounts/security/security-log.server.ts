/**
 * The security log of an account: sign-ins, wrong passwords and changes of sign-in methods. The
 * demo account has no log, because strangers share it.
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
 * The limit counts each kind of event separately, so that wrong passwords, which strangers can
 * enter, never displace other events. They may displace older wrong passwords.
 */
export const maxEventsPerKind = 100
const maxDisplayedEventsPerKind = 20

type NewSecurityEvent = {
  kind: SecurityEventKind
  /** The method that was used to sign in, added or removed. */
  signInMethod?: string
  /**
   * The User-Agent header. Null if no browser of the account caused the event, but the school's
   * staff or the account's protection: then the log names no device.
   */
  userAgent: string | null
}

/** Records an event, in the transaction of the change that the event is about. */
export async function recordSecurityEvent(
  tx: Statements,
  uid: string,
  { kind, signInMethod, userAgent }: NewSecurityEvent,
): Promise<void> {
  if (uid === demoUid) {
    return
  }

  await tx.insert(securityEvents).values({
    uid,
    kind,
    at: new Date(),
    id: randomId(),
    way: signInMethod,
    device: userAgent === null ? null : describeDevice(userAgent).name,
  })

  // Deletes the oldest events of this kind, so that the log can't grow without a limit.
  const ofAccountAndKind = and(eq(securityEvents.uid, uid), eq(securityEvents.kind, kind))
  const surplusKeys = tx
    .select({ at: securityEvents.at, id: securityEvents.id })
    .from(securityEvents)
    .where(ofAccountAndKind)
    .orderBy(desc(securityEvents.at), desc(securityEvents.id))
    .offset(maxEventsPerKind)
  await tx
    .delete(securityEvents)
    .where(
      and(ofAccountAndKind, sql`(${securityEvents.at}, ${securityEvents.id}) in ${surplusKeys}`),
    )
}

/** Returns whether the account's log has an event of a kind at or after a time. */
export async function hasSecurityEventSince(
  db: Pick<Database, '$count'>,
  uid: string,
  kind: SecurityEventKind,
  since: Date,
): Promise<boolean> {
  const eventCount = await db.$count(
    securityEvents,
    and(eq(securityEvents.uid, uid), eq(securityEvents.kind, kind), gte(securityEvents.at, since)),
  )

  return eventCount > 0
}

/**
 * Returns the events that the learner sees, newest first: the newest `maxDisplayedEventsPerKind` of
 * each kind in the last `displayedDays`.
 */
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
      signInMethod: securityEvents.way,
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
      signInMethod: rankedEvents.signInMethod,
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
