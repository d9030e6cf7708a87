import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { activities } from '~/server/database/schema'
import type { Transaction } from '../course-work/course-work-lock.server'
import { type EarnedMoment, firstToShow } from './earned-moment'

type Row = {
  id: string
  courseId: string | null
  title: string | null
  certificateId: string | null
  waitsForAddress: boolean
}

/**
 * Takes the first of what waits to be celebrated, so that nobody else does: of two pages that ask at once, each gets
 * another one. The rest waits, also for a page that was closed before it could show what it took; what no page celebrates
 * waits no longer.
 *
 * @returns null if nothing waits.
 */
export function takeMoment(db: Database, uid: string): Promise<EarnedMoment | null> {
  return db.transaction(async (transaction) => {
    const waiting = (await lockWaiting(transaction, uid)).map((row) => ({ id: row.id, moment: momentOf(row) }))
    if (waiting.length === 0) return null
    const found = firstToShow(waiting.flatMap(({ moment }) => moment ?? []))
    const over = found ? [null, found.first, ...found.said] : [null]
    const taken = waiting.filter(({ moment }) => over.includes(moment)).map(({ id }) => id)
    await transaction
      .update(activities)
      .set({ uncelebrated: false })
      .where(and(eq(activities.uid, uid), inArray(activities.id, taken)))
    return found?.first ?? null
  })
}

/** Oldest first. */
async function lockWaiting(transaction: Transaction, uid: string): Promise<Row[]> {
  return transaction.execute<Row>(sql`
    select a.id, c.id as "courseId", c.title, k.id as "certificateId",
      coalesce(e.certificate_waits_since is not null, false) as "waitsForAddress"
    from activities a
    left join courses c on a.id like 'completed:%' and c.id = substr(a.id, length('completed:') + 1)
    left join enrollments e on e.uid = a.uid and e.course_id = c.id
    left join certificates k on k.uid = a.uid and k.course_id = c.id
    where a.uid = ${uid} and a.uncelebrated
    order by a.at, a.id
    for update of a`)
}

/** Null for an event that no page celebrates: its course is gone. */
function momentOf({ id, courseId, title, certificateId, waitsForAddress }: Row): EarnedMoment | null {
  const [kind, name = ''] = id.split(':')
  if (kind === 'achievement') return { kind, id: name }
  if (kind === 'streak') return { kind, days: Number(name) }
  if (courseId === null || title === null) return null
  const next = certificateId === null ? (waitsForAddress ? 'address' : 'exam') : { certificateId }
  return { kind: 'course', courseId, title, next }
}
