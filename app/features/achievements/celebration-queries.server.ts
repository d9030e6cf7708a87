import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { activities } from '~/server/database/schema'
import { type Celebration, firstToShow, type WaitingCelebration } from './celebration'

type Row = {
  id: string
  courseId: string | null
  title: string | null
  certificateId: string | null
  revoked: boolean
  waitsForAddress: boolean
}

/** The first of what a learner has achieved and not seen; null if there is nothing. */
export async function findCelebration(db: Pick<Database, 'execute'>, uid: string): Promise<WaitingCelebration | null> {
  const { rows } = await db.execute<Row>(sql`
    select a.id, c.id as "courseId", c.title, k.id as "certificateId", r.revoked_at is not null as revoked,
      coalesce(e.certificate_waits_since is not null, false) as "waitsForAddress"
    from activities a
    left join courses c on a.id like 'completed:%' and c.id = substr(a.id, length('completed:') + 1)
    left join enrollments e on e.uid = a.uid and e.course_id = c.id
    left join certificates k on k.uid = a.uid and k.course_id = c.id
    left join certificate_register r on r.id = k.id
    where a.uid = ${uid} and a.uncelebrated
    order by a.at, a.id`)
  const waiting = rows.flatMap((row) => {
    const celebration = celebrationOf(row)
    return celebration ? [{ event: row.id, celebration }] : []
  })
  const found = firstToShow(waiting.map(({ celebration }) => celebration))
  if (!found) return null
  const shown = [found.first, ...found.covered]
  const events = waiting.flatMap(({ event, celebration }) => (shown.includes(celebration) ? [event] : []))
  return { celebration: found.first, events }
}

/** They were in view: no page shows them again. */
export async function recordCelebrationSeen(db: Pick<Database, 'update'>, uid: string, events: string[]) {
  await db
    .update(activities)
    .set({ uncelebrated: false })
    .where(and(eq(activities.uid, uid), inArray(activities.id, events)))
}

/** Null for an event that no page celebrates: its course is gone, or its certificate was revoked. */
function celebrationOf({ id, courseId, title, certificateId, revoked, waitsForAddress }: Row): Celebration | null {
  const [kind, name = '', goal] = id.split(':')
  if (kind === 'achievement') return { kind, id: name }
  if (kind === 'streak') return { kind, days: Number(name) }
  if (kind === 'goal') return { kind, id: name, goal: Number(goal) }
  if (courseId === null || title === null || revoked) return null
  const next = certificateId === null ? (waitsForAddress ? 'address' : 'exam') : { certificateId }
  return { kind: 'course', courseId, title, next }
}
