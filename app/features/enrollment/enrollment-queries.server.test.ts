import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import { listRunningExams } from '~/features/exams/attempt/running-exam-queries.server'
import { findLessonPage } from '~/features/learning/lessons/lesson-queries.server'
import { findProgressSummary } from '~/features/learning/lessons/progress-summary-queries.server'
import { emptyProgress } from '~/features/learning/progress/lesson-progress'
import { recordLessonProgress } from '~/features/learning/progress/record-progress.server'
import { courses, enrollments, examAttempts, lessonProgress, users } from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import {
  enrollLearner,
  enrollLearners,
  getLastOpenedAt,
  leaveCourse,
  listEnrolledCourseIds,
  listEnrolledCourses,
} from './enrollment-queries.server'

const { db } = await createTestDatabase()
const courseId = 'python-from-zero'
const lessonId = 'names-and-values'
const adasEnrollment = and(eq(enrollments.uid, 'ada'), eq(enrollments.courseId, courseId))

beforeEach(async () => {
  await db.delete(users)
  await db
    .insert(users)
    .values({ id: 'ada', name: 'Ada', email: 'ada@a.example', firstName: 'Ada', lastName: 'L' })
  await enrollLearner(db, 'ada', courseId)
  await db
    .insert(lessonProgress)
    .values({ uid: 'ada', courseId, lessonId, mark: 'done', markedAt: new Date() })
})

const openLesson = () =>
  findLessonPage(db, { uid: 'ada', courseId, lessonId }, { scope: 'lesson', from: 0 })

it('the courses of a learner are listed with their progress, the last opened one first', async () => {
  await enrollLearner(db, 'ada', 'typography-for-screens')
  await db
    .update(enrollments)
    .set({ completedAt: new Date(), lastAccessedAt: new Date(Date.now() + 1000) })
    .where(adasEnrollment)
  const [first, second, ...others] = await listEnrolledCourses(db, 'ada')

  expect(others).toEqual([])
  expect(first).toEqual({ id: courseId, completed: true, percent: expect.any(Number) })
  expect(first?.percent).toBeGreaterThan(0)
  expect(first?.percent).toBeLessThan(100)
  expect(second).toEqual({ id: 'typography-for-screens', completed: false, percent: 0 })
})

describe('the last visit to a course', () => {
  async function findLastOpenedAt() {
    const [enrollment] = await db
      .select({ lastOpenedAt: getLastOpenedAt(sql`${enrollments}`) })
      .from(enrollments)
      .where(adasEnrollment)
    return enrollment?.lastOpenedAt
  }

  it('is unknown until the learner does something in a lesson, even right after enrolling', async () => {
    expect(await findLastOpenedAt()).toBeNull()

    const secondLater = new Date(Date.now() + 1000)
    await recordLessonProgress(learningContext(db), {
      learnerLesson: { uid: 'ada', courseId, lessonId },
      report: {
        progress: { ...emptyProgress, readToEnd: true },
        studyIntervals: [],
        receivedAt: secondLater,
      },
      sessionToken: null,
    })
    expect(await findLastOpenedAt()).not.toBeNull()
  })

  it('is unknown for a learner whom staff have enrolled again', async () => {
    await leaveCourse(db, 'ada', courseId)
    await enrollLearners(db, [{ uid: 'ada', courseId }])

    expect(await findLastOpenedAt()).toBeNull()
  })

  it('is unknown for a learner who has enrolled again', async () => {
    await leaveCourse(db, 'ada', courseId)
    await enrollLearner(db, 'ada', courseId)

    expect(await findLastOpenedAt()).toBeNull()
  })
})

describe('leaving a course', () => {
  it('closes its lessons, and enrolling again restores the progress', async () => {
    const progressBefore = await findProgressSummary(db, 'ada', courseId)
    expect(progressBefore).toMatchObject({
      doneLessons: 1,
      done: [lessonId],
      completed: false,
      exam: 'open',
    })

    expect(await leaveCourse(db, 'ada', courseId)).toBe('left')
    expect(await listEnrolledCourseIds(db, 'ada')).toEqual([])
    expect(await findProgressSummary(db, 'ada', courseId)).toBeNull()
    expect(await openLesson()).toBeNull()
    expect(await leaveCourse(db, 'ada', courseId)).toBe('left')

    await enrollLearner(db, 'ada', courseId)
    expect(await findProgressSummary(db, 'ada', courseId)).toEqual(progressBefore)
    expect(await openLesson()).not.toBeNull()
  })

  it('does not change the date of the first enrollment', async () => {
    const enrolledAt = async () =>
      (await db.select().from(enrollments).where(adasEnrollment))[0]?.enrolledAt
    const first = await enrolledAt()
    await leaveCourse(db, 'ada', courseId)
    await enrollLearner(db, 'ada', courseId)

    expect(await enrolledAt()).toEqual(first)
  })

  it('can be undone after the course was withdrawn, but only by learners who had it', async () => {
    const thisCourse = eq(courses.id, courseId)
    await db.update(courses).set({ published: false }).where(thisCourse)
    try {
      await leaveCourse(db, 'ada', courseId)
      expect(await enrollLearner(db, 'ada', courseId)).toEqual([courseId])
      expect(await listEnrolledCourseIds(db, 'ada')).toEqual([courseId])
      await db
        .insert(users)
        .values({ id: 'eve', name: 'Eve', email: 'eve@a.example', firstName: 'Eve' })
      expect(await enrollLearner(db, 'eve', courseId)).toEqual([])
    } finally {
      await db.update(courses).set({ published: true }).where(thisCourse)
    }
  })

  it('is not possible for a completed course, which is part of the record', async () => {
    await db.update(enrollments).set({ completedAt: new Date() }).where(adasEnrollment)

    expect(await leaveCourse(db, 'ada', courseId)).toBe('not-allowed')
    expect(await listEnrolledCourseIds(db, 'ada')).toEqual([courseId])
  })

  it('is not possible during an exam, which is listed until its time is over', async () => {
    const attempt = { uid: 'ada', id: 'a1', courseId, title: 'Exam', maxScore: 1 }
    await db.insert(examAttempts).values({ ...attempt, deadlineAt: new Date(Date.now() + 900_000) })
    expect(await leaveCourse(db, 'ada', courseId)).toBe('not-allowed')

    const [running, ...others] = await listRunningExams(db, 'ada')
    expect(others).toEqual([])
    expect(running?.courseId).toBe(courseId)
    expect(running?.secondsLeft).toBeGreaterThan(800)
    expect(running?.secondsLeft).toBeLessThanOrEqual(900)

    await db.update(examAttempts).set({ deadlineAt: new Date(Date.now() - 1000) })
    expect(await listRunningExams(db, 'ada')).toEqual([])
  })
})
