import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { activities } from '~/server/database/schema'
import type { Transaction } from '../course-work/course-work-lock.server'
import { type EarnedMoment, firstToShow, type TakenMoment } from './earned-moment'

type Row = {
  id: string
  courseId: string | null
  title: string | null
  certificateId: string | null
  revoked: boolean
  waitsForAddress: boolean
}

/** So long a page has to show what it took, before another one may. */
const showingMs = 60_000

/**
 * Takes the first of what waits to be celebrated, so that no other page does meanwhile: of two that ask at once, each gets
 * another one. It waits on until a page says that it was shown (`recordShownMoment`). What no page celebrates waits no
 * longer.
 *
 * @returns null if nothing waits.
 */
export function takeMoment(db: Database, uid: string, now: Date): Promise<TakenMoment | null> {
  return db.transaction(async (transaction) => {
    const free = new Date(now.getTime() - showingMs)
    const waiting = (await lockWaiting(transaction, uid, free)).map((row) => ({ id: row.id, moment: momentOf(row) }))
    if (waiting.length === 0) return null
    const idsOf = (moments: (EarnedMoment | null)[]) =>
      waiting.filter(({ moment }) => moments.includes(moment)).map(({ id }) => id)
    await recordShownMoment(transaction, uid, idsOf([null]))
    const found = firstToShow(waiting.flatMap(({ moment }) => moment ?? []))
    if (!found) return null
    const events = idsOf([found.first, ...found.said])
    await transaction.update(activities).set({ takenAt: now }).where(ofLearner(uid, events))
    return { moment: found.first, events }
  })
}

/** They were in view: no page shows them again. */
export async function recordShownMoment(
  db: Pick<Database, 'update'>,
  uid: string,
  events: readonly string[],
): Promise<void> {
  if (events.length === 0) return
  await db.update(activities).set({ uncelebrated: false }).where(ofLearner(uid, events))
}

const ofLearner = (uid: string, events: readonly string[]) =>
  and(eq(activities.uid, uid), inArray(activities.id, [...events]))

/** Oldest first. @param free what a page took before may be taken again. */
async function lockWaiting(transaction: Transaction, uid: string, free: Date): Promise<Row[]> {
  const { rows } = await transaction.execute<Row>(sql`
    select a.id, c.id as "courseId", c.title, k.id as "certificateId", r.revoked_at is not null as revoked,
      coalesce(e.certificate_waits_since is not null, false) as "waitsForAddress"
    from activities a
    left join courses c on a.id like 'completed:%' and c.id = substr(a.id, length('completed:') + 1)
    left join enrollments e on e.uid = a.uid and e.course_id = c.id
    left join certificates k on k.uid = a.uid and k.course_id = c.id
    left join certificate_register r on r.id = k.id
    where a.uid = ${uid} and a.uncelebrated and (a.taken_at is null or a.taken_at < ${free.toISOString()})
    order by a.at, a.id
    for update of a`)
  return rows
}

/** Null for an event that no page celebrates: its course is gone, or its certificate was revoked. */
function momentOf({ id, courseId, title, certificateId, revoked, waitsForAddress }: Row): EarnedMoment | null {
  const [kind, name = '', goal] = id.split(':')
  if (kind === 'achievement') return { kind, id: name }
  if (kind === 'streak') return { kind, days: Number(name) }
  if (kind === 'goal') return { kind, id: name, goal: Number(goal) }
  if (courseId === null || title === null || revoked) return null
  const next = certificateId === null ? (waitsForAddress ? 'address' : 'exam') : { certificateId }
  return { kind: 'course', courseId, title, next }
}
