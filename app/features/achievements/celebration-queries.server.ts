/** Finds the celebrations that a learner has not seen, and marks them as seen. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { activities } from '~/server/database/schema'

/** An event that a page celebrates. */
export type Celebration =
  | { kind: 'achievement'; id: string }
  /**
   * The learner has done every lesson of a course. `next` is the certificate or, before there is
   * one, what the learner still has to do for it: pass the exam, or confirm the email address.
   */
  | {
      kind: 'course'
      courseId: string
      title: string
      next: 'exam' | 'address' | { certificateId: string }
    }
  | { kind: 'streak'; days: number }
  /** The learner has reached a goal beyond an achievement. `id` is the ID of the achievement. */
  | { kind: 'goal'; id: string; goal: number }

/**
 * A celebration that the learner has not seen, and the IDs of the activities that are marked as
 * seen with it.
 */
export type WaitingCelebration = { celebration: Celebration; events: string[] }

type CelebrationRow = {
  id: string
  courseId: string | null
  title: string | null
  certificateId: string | null
  isRevoked: boolean
  waitsForConfirmedEmail: boolean
}

/** The kinds of celebrations, the most important first. */
const kindsByImportance: readonly Celebration['kind'][] = [
  'course',
  'achievement',
  'goal',
  'streak',
]

/**
 * Returns the most important celebration that the learner has not seen yet, or null if there is
 * none.
 */
export async function findCelebration(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<WaitingCelebration | null> {
  const { rows } = await db.execute<CelebrationRow>(sql`
    select
      a.id,
      c.id as "courseId",
      c.title,
      certificate.id as "certificateId",
      register.revoked_at is not null as "isRevoked",
      e.certificate_waits_since is not null as "waitsForConfirmedEmail"
    from activities a
    left join courses c
      on a.id like 'completed:%'
      and c.id = substr(a.id, length('completed:') + 1)
    left join enrollments e on e.uid = a.uid and e.course_id = c.id
    left join certificates certificate
      on certificate.uid = a.uid
      and certificate.course_id = c.id
    -- Only the register says whether a certificate is revoked.
    left join certificate_register register on register.id = certificate.id
    where a.uid = ${uid}
      and a.uncelebrated
    order by a.at, a.id`)

  const waitingCelebrations = rows.flatMap((row) => {
    const celebration = toCelebration(row)
    return celebration ? [{ celebration, events: [row.id] }] : []
  })
  const [mostImportant] = waitingCelebrations.toSorted(
    (a, b) =>
      kindsByImportance.indexOf(a.celebration.kind) - kindsByImportance.indexOf(b.celebration.kind),
  )

  return mostImportant ?? null
}

/** Returns null if the course no longer exists or its certificate was revoked. */
function toCelebration(row: CelebrationRow): Celebration | null {
  // The IDs are like `achievement:bookworm`, `streak:7:2026-11-20`, `goal:bookworm:100` or
  // `completed:chess`.
  const [kind, subject = '', goal] = row.id.split(':')
  if (kind === 'achievement') {
    return { kind, id: subject }
  }

  if (kind === 'streak') {
    return { kind, days: Number(subject) }
  }

  if (kind === 'goal') {
    return { kind, id: subject, goal: Number(goal) }
  }

  // The learner has completed a course.
  const { courseId, title, certificateId, isRevoked, waitsForConfirmedEmail } = row
  if (courseId === null || title === null || isRevoked) {
    return null
  }

  if (certificateId !== null) {
    return { kind: 'course', courseId, title, next: { certificateId } }
  }

  return { kind: 'course', courseId, title, next: waitsForConfirmedEmail ? 'address' : 'exam' }
}

/** Marks celebrations as seen, so that no page shows them again. */
export async function markCelebrationsSeen(
  db: Pick<Database, 'update'>,
  uid: string,
  activityIds: string[],
): Promise<void> {
  await db
    .update(activities)
    .set({ uncelebrated: false })
    .where(and(eq(activities.uid, uid), inArray(activities.id, activityIds)))
}
