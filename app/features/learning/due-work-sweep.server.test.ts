import { and, eq, ne, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { contentState, courseLessons, enrollments, lessonProgress, users } from '~/server/database/schema'
import { testDatabase } from '../../../tests/support/test-database'
import { dueWork } from './due-work-sweep.server'

const courseId = 'python-from-zero'
const now = new Date('2026-11-20T12:00:00Z')

it('a course is completed when the operator takes its last open lesson away, at the next change of the content', async () => {
  const { db } = await testDatabase()
  const doDueWork = dueWork(db)
  await doDueWork(now)
  const person = { firstName: 'Ada', lastName: 'Lovelace', name: 'Ada Lovelace', email: 'ada@learnify.example' }
  await db.insert(users).values({ id: 'ada', ...person })
  await db.insert(enrollments).values({ uid: 'ada', courseId })
  const ofCourse = and(eq(courseLessons.courseId, courseId), ne(courseLessons.kind, 'announced'))
  const [open, ...done] = await db.select().from(courseLessons).where(ofCourse)
  for (const { id } of done) {
    await db.insert(lessonProgress).values({ uid: 'ada', courseId, lessonId: id, earnedAt: now })
  }
  const completedAt = async () => (await db.select().from(enrollments))[0]?.completedAt
  await doDueWork(now)
  expect(await completedAt()).toBeNull()

  await db
    .update(courseLessons)
    .set({ retired: true })
    .where(and(ofCourse, eq(courseLessons.id, open?.id ?? '')))
  await db.update(contentState).set({ hash: sql`'another'` })
  await doDueWork(now)
  expect(await completedAt()).toEqual(now)
})
