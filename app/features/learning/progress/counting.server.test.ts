import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { summarizeProgress } from '~/features/enrollment/course-progress'
import {
  courseLessons,
  courseProgress,
  enrollments,
  lessonProgress,
  users,
} from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'

const courseId = 'typography-for-screens'
const lesson = fc.record({
  kind: fc.constantFrom<LessonKind>('video', 'article', 'quiz', 'announced'),
  durationSeconds: fc.integer({ min: 1, max: 5000 }),
  done: fc.boolean(),
  retired: fc.boolean(),
})

it('the database counts a learner’s progress as the rule does', async () => {
  const { db } = await createTestDatabase()
  await db
    .insert(users)
    .values({ id: 'ada', email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
  await db.insert(enrollments).values({ uid: 'ada', courseId })
  for (const lessons of fc.sample(fc.array(lesson, { maxLength: 12 }), {
    numRuns: 40,
    seed: 20_261_122,
  })) {
    await db.delete(lessonProgress)
    await db.delete(courseLessons)
    if (lessons.length > 0) {
      const rows = lessons.map((one, position) => ({
        ...one,
        courseId,
        id: `l${position}`,
        position,
      }))

      await db
        .insert(courseLessons)
        .values(rows.map((row) => ({ ...row, sectionId: 's', title: 'L', preview: false })))
      const done = rows.filter((row) => row.done)
      const earnedAt = new Date('2026-11-20T12:00:00Z')
      if (done.length > 0) {
        await db
          .insert(lessonProgress)
          .values(done.map(({ id }) => ({ uid: 'ada', courseId, lessonId: id, earnedAt })))
      }
    }

    const { percent: _, ...figures } = summarizeProgress(lessons.filter(({ retired }) => !retired))
    const [counted] = await db.select().from(courseProgress)
    expect(counted).toEqual({ uid: 'ada', courseId, ...figures })
  }
})
