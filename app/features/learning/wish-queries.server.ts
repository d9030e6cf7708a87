import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { wishes } from '~/server/database/schema'

export type WishedCourse = { id: string; title: string; instructorName: string; priceCents: number }

/** Ids of the courses on a learner's wish list. */
export async function listWishedCourseIds(db: Database, uid: string): Promise<string[]> {
  const rows = await db.select({ id: wishes.courseId }).from(wishes).where(eq(wishes.uid, uid))
  return rows.map(({ id }) => id)
}

/** The wish list as the profile shows it, newest first, without what has left the catalogue or is enrolled in by now. */
export async function listWishedCourses(db: Database, uid: string): Promise<WishedCourse[]> {
  const rows = await db.execute<WishedCourse>(sql`
    select c.id, c.title, c.instructor_name as "instructorName", c.price_cents as "priceCents"
    from wishes w join courses c on c.id = w.course_id
    where w.uid = ${uid} and c.published and not exists (
      select from enrolments e where e.uid = w.uid and e.course_id = w.course_id)
    order by w.created_at desc, c.id`)
  return [...rows]
}

/** Wishing twice is wishing once; a course that does not exist changes nothing. */
export async function recordWish(db: Database, uid: string, courseId: string, wished: boolean): Promise<void> {
  if (!wished) {
    await db.delete(wishes).where(and(eq(wishes.uid, uid), eq(wishes.courseId, courseId)))
    return
  }
  await db.execute(sql`
    insert into wishes (uid, course_id) select ${uid}::text, id from courses where id = ${courseId} and published
    on conflict do nothing`)
}
