import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  enrollLearner,
  enrollLearners,
  leaveCourse,
  listEnrolledCourseIds,
} from '~/features/enrollment/enrollment-queries.server'
import {
  listOlderActivities,
  recordActivity,
} from '~/features/learning/progress/activity-queries.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { maxRecentActivities } from './learner-record'
import { getLearnerRecord, tryGetLearnerRecord } from './learner-record-queries.server'

const now = new Date('2026-11-20T12:00:00Z')
const python = 'python-from-zero'
let db: Database

async function addLearner(id: string, more: Partial<typeof tables.users.$inferInsert> = {}) {
  await db.insert(tables.users).values({
    id,
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `${id}@learnify.example`,
    ...more,
  })
}

const done = (lessonId: string, more = {}) => ({
  uid: 'ada',
  courseId: python,
  lessonId,
  earnedAt: now,
  ...more,
})
const studied = (day: string, ...intervals: [string, string][]) => ({
  uid: 'ada',
  day,
  studied: `{${intervals.map(([from, to]) => `["${day}T${from}Z","${day}T${to}Z")`).join(',')}}`,
})

/** Ids of the lessons with material, in their order. */
async function listLessons(courseId: string) {
  const lessons = await db
    .select({ id: tables.courseLessons.id, kind: tables.courseLessons.kind })
    .from(tables.courseLessons)
    .where(eq(tables.courseLessons.courseId, courseId))
    .orderBy(tables.courseLessons.position)

  return lessons.filter(({ kind }) => kind !== 'announced').map(({ id }) => id)
}

beforeEach(async () => {
  db ??= (await createTestDatabase()).db
  await db.delete(tables.users)
  await addLearner('ada')
})

describe('the record of a new learner', () => {
  test('has zeros and empty lists', async () => {
    const record = await getLearnerRecord(db, 'ada', now)

    expect(record).toMatchObject({
      uid: 'ada',
      displayName: 'Ada Lovelace',
      email: 'ada@learnify.example',
      photoURL: null,
      provider: 'email',
      phone: null,
      totalCourses: 0,
      completedCourses: 0,
      certificatesEarned: 0,
      studyHours: 0,
      enrolledCourses: [],
      achievements: [],
      examScores: [],
      recentActivities: [],
      currentStreakDays: 0,
    })

    expect(record.createdAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    expect(record.studyDays).toHaveLength(28)
    expect(record.studyDays.every((day) => day.minutes === 0)).toBe(true)
  })

  test('is a returning learner’s after another sign-in, on another day, or after work on an earlier day', async () => {
    const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
    const isReturning = async (at = now) => (await getLearnerRecord(db, 'ada', at)).isReturning
    const signUp = { id: 'i', userId: 'ada', providerId: 'credential', accountId: 'ada' }
    // An import made the account long before.
    await db
      .update(tables.users)
      .set({ createdAt: new Date('2026-10-01'), lastLoginAt: minutes(1) })
    await db.insert(tables.identities).values({ ...signUp, createdAt: now })
    expect(await isReturning()).toBe(false)
    expect(await isReturning(minutes(24 * 60))).toBe(true)

    await db.update(tables.users).set({ lastLoginAt: minutes(30) })
    expect(await isReturning(minutes(40))).toBe(true)

    await db.update(tables.users).set({ lastLoginAt: minutes(1) })
    await recordActivity(db, 'ada', { id: 'x', type: 'lesson', text: 'x', at: minutes(-24 * 60) })
    expect(await isReturning()).toBe(true)
  })

  test('does not exist for an unknown uid', async () => {
    expect(await tryGetLearnerRecord(db, 'nobody')).toBeNull()
    await expect(getLearnerRecord(db, 'nobody', now)).rejects.toThrow('No learner has this uid.')
  })
})

describe('courses', () => {
  test('were never opened until the learner has done something in a lesson after enrolling', async () => {
    await enrollLearner(db, 'ada', python)
    const findLastAccessed = async () =>
      (await getLearnerRecord(db, 'ada', now)).enrolledCourses[0]?.lastAccessed
    expect(await findLastAccessed()).toBeNull()

    const lastAccessedAt = new Date(Date.now() + 60_000)
    await db.update(tables.enrollments).set({ lastAccessedAt })
    expect(await findLastAccessed()).toBe(lastAccessedAt.toISOString())
  })

  test('of a learner whom staff enrolled again were never opened since, whatever was done before', async () => {
    await enrollLearner(db, 'ada', python)
    const lessonKey = { uid: 'ada', courseId: python, lessonId: 'names-and-values' }
    await db
      .insert(tables.lessonProgress)
      .values({ ...lessonKey, positionMs: 500, positionAt: now })
    await leaveCourse(db, 'ada', python)
    await enrollLearners(db, [{ uid: 'ada', courseId: python }])
    const record = await getLearnerRecord(db, 'ada', now)
    expect(record.enrolledCourses).toMatchObject([{ id: python, lastAccessed: null }])
  })

  const nextLesson = async () => (await getLearnerRecord(db, 'ada', now)).enrolledCourses[0]?.next

  test('go on with the lesson that was worked on last, where the learner stopped in it', async () => {
    await enrollLearner(db, 'ada', python)
    expect(await nextLesson()).toEqual({
      id: 'names-and-values',
      title: 'Names Are Labels',
      positionMs: 0,
    })

    const lessonKey = { uid: 'ada', courseId: python, lessonId: 'names-and-values' }
    await db
      .insert(tables.lessonProgress)
      .values({ ...lessonKey, positionMs: 12_500, positionAt: now })
    expect(await nextLesson()).toEqual({
      id: 'names-and-values',
      title: 'Names Are Labels',
      positionMs: 12_500,
    })
  })

  test('go on with the first open lesson after the one that was finished last, then with those left out', async () => {
    await enrollLearner(db, 'ada', python)
    const lessons = await listLessons(python)
    const [first, , third, fourth] = lessons
    await db.insert(tables.lessonProgress).values(done(third ?? ''))
    expect((await nextLesson())?.id).toBe(fourth)

    for (const lessonId of lessons.slice(3)) {
      await db.insert(tables.lessonProgress).values(done(lessonId))
    }

    expect((await nextLesson())?.id).toBe(first)
  })

  test('bookmarked lessons are listed newest first with their course', async () => {
    await enrollLearner(db, 'ada', python)
    const lessons = await listLessons(python)
    for (const [index, lessonId] of lessons.slice(0, 2).entries()) {
      const createdAt = new Date(now.getTime() + index * 1000)
      await db
        .insert(tables.bookmarks)
        .values({ uid: 'ada', courseId: python, lessonId, createdAt })
    }

    const { bookmarks } = await getLearnerRecord(db, 'ada', now)

    expect(bookmarks.map(({ lessonId }) => lessonId)).toEqual([lessons[1], lessons[0]])
    expect(bookmarks[1]).toMatchObject({
      courseId: python,
      lesson: 'Names Are Labels',
      course: 'Python from Zero',
    })
  })

  test('enrolling twice is enrolling once, and only in published courses', async () => {
    expect(
      await enrollLearner(db, 'ada', [python, python, 'no-such-course', "'; drop table users; --"]),
    ).toEqual([python])
    expect(await enrollLearner(db, 'ada', python)).toEqual([python])
    expect(await listEnrolledCourseIds(db, 'ada')).toEqual([python])

    const record = await getLearnerRecord(db, 'ada', now)
    expect(record.totalCourses).toBe(1)
    expect(record.recentActivities.map(({ type, icon, text }) => ({ type, icon, text }))).toEqual([
      { type: 'course', icon: 'graduation-cap', text: 'Enrolled in Python from Zero' },
    ])
  })

  test('a page that shows only open courses gets those that were opened last, and counts them all', async () => {
    const courses = [
      python,
      'interface-design-fundamentals',
      'digital-photography-fundamentals',
      'startup-fundamentals',
    ]
    const enrolledCourseIds = await enrollLearner(db, 'ada', courses)
    for (const [day, courseId] of enrolledCourseIds.entries()) {
      const lastAccessedAt = new Date(now.getTime() + day * 86_400_000)
      const completedAt = courseId === enrolledCourseIds.at(-1) ? now : null
      await db
        .update(tables.enrollments)
        .set({ lastAccessedAt, completedAt, certificateWaitsSince: completedAt })
        .where(eq(tables.enrollments.courseId, courseId))
    }

    const whole = await getLearnerRecord(db, 'ada', now)
    const { enrolledCourses, totalCourses, openCourses } = await getLearnerRecord(db, 'ada', now, {
      openCourseLimit: 1,
    })
    const [newestOpen] = whole.enrolledCourses.filter(({ completedAt }) => completedAt === null)

    expect(enrolledCourses).toEqual([newestOpen])
    expect([totalCourses, openCourses]).toEqual([
      enrolledCourseIds.length,
      enrolledCourseIds.length - 1,
    ])
    expect(whole.enrolledCourses).toHaveLength(enrolledCourseIds.length)
  })

  test('parallel enrollments make one row', async () => {
    await Promise.all(Array.from({ length: 20 }, () => enrollLearner(db, 'ada', python)))

    expect(await db.select().from(tables.enrollments)).toHaveLength(1)
    expect(await db.select().from(tables.activities)).toHaveLength(1)
  })

  test('progress is weighted by length over lessons with material, rounded down', async () => {
    await enrollLearner(db, 'ada', python)
    // 28 s of 28 + 150 + 140 + 29 + 150 + 150 = 647 s.
    await db.insert(tables.lessonProgress).values(done('names-and-values'))
    const [course] = (await getLearnerRecord(db, 'ada', now)).enrolledCourses

    expect(course).toMatchObject({
      id: python,
      name: 'Python from Zero',
      instructor: 'Amara Okafor',
    })

    expect(course).toMatchObject({
      progress: 4,
      totalLessons: 6,
      completedLessons: 1,
      published: true,
    })
  })

  test("the learner's own mark outweighs what was watched", async () => {
    await enrollLearner(db, 'ada', python)
    await db
      .insert(tables.lessonProgress)
      .values([
        done('names-and-values', { mark: 'undone', markedAt: now }),
        done('functions-that-return', { earnedAt: null, mark: 'done', markedAt: now }),
      ])
    const [course] = (await getLearnerRecord(db, 'ada', now)).enrolledCourses

    expect(course).toMatchObject({ progress: 23, completedLessons: 1, certifiedLessons: 0 })
  })

  test('a retired lesson leaves the percentage but not the count of lessons done', async () => {
    await enrollLearner(db, 'ada', python)
    await db.insert(tables.lessonProgress).values(done('names-and-values'))
    const retire = (retired: boolean) =>
      db.execute(sql`update course_lessons set retired = ${retired} where id = 'names-and-values'`)
    await retire(true)
    const record = await getLearnerRecord(db, 'ada', now)
    await retire(false)

    expect(record.enrolledCourses[0]).toMatchObject({
      progress: 0,
      totalLessons: 5,
      completedLessons: 0,
    })

    expect(record.achievementStatistics.lessonsDone).toBe(1)
  })
})

describe('study time', () => {
  test('adds up to hours, minutes a day and streaks', async () => {
    await db
      .insert(tables.studyDays)
      .values([
        studied('2026-11-01', ['10:00', '11:00']),
        studied('2026-11-02', ['10:00', '11:00']),
        studied('2026-11-03', ['10:00', '11:00']),
        studied('2026-11-18', ['10:00', '10:30'], ['20:00', '20:15:59']),
        studied('2026-11-19', ['10:00', '11:00']),
      ])
    const record = await getLearnerRecord(db, 'ada', now)

    expect(record.studyHours).toBe(4.7)
    expect(record.studyDays.slice(-3)).toEqual([
      { day: '2026-11-18', minutes: 45, hasStudied: true },
      { day: '2026-11-19', minutes: 60, hasStudied: true },
      { day: '2026-11-20', minutes: 0, hasStudied: false },
    ])

    expect(record.currentStreakDays).toBe(2)
    expect(record.achievementStatistics.longestStreakDays).toBe(3)
  })

  test('a day without an interval is no study day', async () => {
    await db.insert(tables.studyDays).values({ uid: 'ada', day: '2026-11-20', studied: '{}' })
    expect((await getLearnerRecord(db, 'ada', now)).currentStreakDays).toBe(0)
  })

  test("today is the learner's today", async () => {
    await db.update(tables.users).set({ timezone: 'America/Los_Angeles' })
    const early = new Date('2026-11-20T05:00:00Z')

    expect((await getLearnerRecord(db, 'ada', early)).studyDays.at(-1)?.day).toBe('2026-11-19')
  })
})

test('exams that were handed in come newest first with their grade', async () => {
  const attempt = { uid: 'ada', courseId: python, title: 'Final exam', maxScore: 10 }
  await db.insert(tables.examAttempts).values([
    { ...attempt, id: 'a', score: 9, submittedAt: new Date('2026-10-01T00:00:00Z') },
    { ...attempt, id: 'b', score: 7, submittedAt: new Date('2026-10-02T00:00:00Z') },
    { ...attempt, id: 'c' },
  ])
  const record = await getLearnerRecord(db, 'ada', now)

  expect(record.examScores).toEqual([
    {
      id: 'b',
      courseId: python,
      name: 'Final exam',
      score: 7,
      maxScore: 10,
      date: '2026-10-02T00:00:00.000Z',
      grade: 'average',
    },
    {
      id: 'a',
      courseId: python,
      name: 'Final exam',
      score: 9,
      maxScore: 10,
      date: '2026-10-01T00:00:00.000Z',
      grade: 'excellent',
    },
  ])

  expect(record.achievementStatistics.bestExamPercent).toBe(90)
})

test('a finished course stays in sight until its exam is passed', async () => {
  await enrollLearner(db, 'ada', python)
  const readDisplayedRecord = async () =>
    (await getLearnerRecord(db, 'ada', now, { openCourseLimit: 3 })).enrolledCourses
  const ofAda = eq(tables.enrollments.uid, 'ada')
  expect(await readDisplayedRecord()).toMatchObject([{ examDue: false }])

  await db.update(tables.enrollments).set({ completedAt: now }).where(ofAda)
  expect(await readDisplayedRecord()).toMatchObject([{ id: python, examDue: true }])

  await db.update(tables.enrollments).set({ certificateWaitsSince: now }).where(ofAda)
  expect(await readDisplayedRecord()).toEqual([])
})

test('achievements and certificates come from their rows, unknown ones are left out', async () => {
  await db.insert(tables.achievements).values([
    { uid: 'ada', achievementId: 'bookworm', grantedAt: now },
    { uid: 'ada', achievementId: 'of-a-later-version', grantedAt: now },
  ])
  const course = {
    courseId: python,
    courseTitle: 'Python from Zero',
    lessons: 3,
    materialSeconds: 900,
    examScore: 7,
    examMaxScore: 8,
    issuedAt: now,
  }

  await db
    .insert(tables.certificateRegister)
    .values({ ...course, id: 'x', statusListNumber: 1, statusIndex: 1 })
  await db
    .insert(tables.certificates)
    .values({ uid: 'ada', courseId: python, id: 'x', learnerName: 'Ada Lovelace' })
  await enrollLearner(db, 'ada', python)
  const record = await getLearnerRecord(db, 'ada', now)
  expect(record.certificatesEarned).toBe(1)
  expect(record.enrolledCourses).toMatchObject([{ certificateId: 'x' }])
  expect(record.achievements).toEqual([
    {
      id: 'bookworm',
      icon: 'book-open',
      name: 'Bookworm',
      description: 'Finish 50 lessons.',
      earnedAt: '2026-11-20T12:00:00.000Z',
    },
  ])

  await db.update(tables.certificateRegister).set({ revokedAt: now })
  expect((await getLearnerRecord(db, 'ada', now)).enrolledCourses).toMatchObject([
    { certificateId: null },
  ])
})

test('the same event is told once', async () => {
  const event = { id: 'lesson:x:y', type: 'lesson', text: 'Finished a lesson', at: now } as const
  await recordActivity(db, 'ada', event)
  await recordActivity(db, 'ada', { ...event, text: 'Again' })

  expect((await getLearnerRecord(db, 'ada', now)).recentActivities.map(({ text }) => text)).toEqual(
    ['Finished a lesson'],
  )
})

test("another learner's rows are never in the record", async () => {
  await addLearner('eve')
  await enrollLearner(db, 'eve', python)
  await db
    .insert(tables.studyDays)
    .values({ ...studied('2026-11-20', ['10:00', '11:00']), uid: 'eve' })

  expect(await getLearnerRecord(db, 'ada', now)).toMatchObject({
    totalCourses: 0,
    studyHours: 0,
    recentActivities: [],
  })
})

test('a learner with 200 courses and 10,000 activities has a whole record', async () => {
  await db.execute(sql`insert into courses select (jsonb_populate_record(c, jsonb_build_object('id', 'copy-' || n))).*
    from courses c, generate_series(1, 200) n where c.id = ${python}`)
  await db.execute(sql`insert into course_lessons select (jsonb_populate_record(l, jsonb_build_object('course_id', 'copy-' || n))).*
    from course_lessons l, generate_series(1, 200) n where l.course_id = ${python}`)
  await db.execute(
    sql`insert into enrollments (uid, course_id) select 'ada', 'copy-' || n from generate_series(1, 200) n`,
  )
  await db.execute(sql`insert into lesson_progress (uid, course_id, lesson_id, earned_at)
    select 'ada', course_id, id, now() from course_lessons where course_id like 'copy-%'`)
  await db.execute(sql`insert into activities (uid, id, at, type, text)
    select 'ada', 'e' || n, now() - n * interval '1 minute', 'lesson', 'Lesson ' || n from generate_series(1, 10000) n`)
  await db.execute(sql`insert into study_days select 'ada', date '2026-11-20' - n,
    format('{["%1$s 10:00Z","%1$s 11:00Z"),["%1$s 12:00Z","%1$s 12:30Z")}', date '2026-11-20' - n)::tstzmultirange
    from generate_series(0, 999) n`)
  const record = await getLearnerRecord(db, 'ada', now)
  expect(record.totalCourses).toBe(200)
  expect(record.enrolledCourses.every((course) => course.progress === 100)).toBe(true)
  expect(record.recentActivities).toHaveLength(maxRecentActivities)

  const older = await listOlderActivities(db, 'ada', record.recentActivities.at(-1)?.id ?? '', 51)
  expect(older.map(({ text }) => text)).toEqual(
    Array.from({ length: 51 }, (_, index) => `Lesson ${maxRecentActivities + index + 1}`),
  )
  expect(await listOlderActivities(db, 'grace', 'e1', 51)).toEqual([])
  expect(record.studyHours).toBe(1500)
  expect(record.currentStreakDays).toBe(1000)

  await db.delete(tables.users)
  await db.execute(sql`delete from courses where id like 'copy-%'`)
})
