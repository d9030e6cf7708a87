import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import type { EarnedMoment } from './earned-moment'

type Row = {
  id: string
  courseId: string | null
  title: string | null
  certificateId: string | null
  waitsForAddress: boolean
}

/**
 * Takes what waits to be celebrated, so that nobody else does: of two pages that ask at once, one gets it. A page that
 * closes before it has shown what it took leaves it to the profile's list of activities.
 */
export async function takeMoments(db: Database, uid: string): Promise<EarnedMoment[]> {
  const rows = await db.execute<Row>(sql`
    with taken as (
      update activities set uncelebrated = false where uid = ${uid} and uncelebrated returning id, at
    )
    select t.id, c.id as "courseId", c.title, k.id as "certificateId",
      coalesce(e.certificate_waits_since is not null, false) as "waitsForAddress"
    from taken t
    left join courses c on t.id = 'completed:' || c.id
    left join enrollments e on e.uid = ${uid} and e.course_id = c.id
    left join certificates k on k.uid = ${uid} and k.course_id = c.id
    order by t.at, t.id`)
  return rows.flatMap((row) => momentOf(row) ?? [])
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
