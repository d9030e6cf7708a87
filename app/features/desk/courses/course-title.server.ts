import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'

/** @returns null if there is no such course. */
export async function findCourseTitle(
  db: Pick<Database, 'select'>,
  id: string,
): Promise<string | null> {
  const [course] = await db.select({ title: courses.title }).from(courses).where(eq(courses.id, id))
  return course?.title ?? null
}
