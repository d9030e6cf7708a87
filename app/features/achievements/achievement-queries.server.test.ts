import { eq, like, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import { recordLessonProgress } from '~/features/learning/progress/record-progress.server'
import { getLearnerRecord } from '~/features/profile/learner-record-queries.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { grantDueAchievements } from './achievement-queries.server'
import { achievementDefinitions } from './achievements'

const uid = 'ada'
const day = 86_400_000
const now = new Date('2026-11-20T12:00:00Z')
const technology = [
  'python-from-zero',
  'data-structures-and-algorithms',
  'machine-learning-foundations',
] as const
const [python] = technology
let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})
beforeEach(async () => {
  await db.delete(tables.users)
  await db
    .insert(tables.users)
    .values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

const enroll = (courseId: string, changes: Partial<typeof tables.enrollments.$inferInsert> = {}) =>
  db
    .insert(tables.enrollments)
    .values({ uid, courseId, enrolledAt: new Date(now.getTime() - 30 * day), ...changes })
const grant = () => db.transaction((transaction) => grantDueAchievements(transaction, uid, now))
const listGranted = async () => {
  const rows = await db.select().from(tables.achievements).where(eq(tables.achievements.uid, uid))
  return rows.map(({ achievementId }) => achievementId).toSorted()
}
const listMilestones = async () => {
  const rows = await db
    .select()
    .from(tables.activities)
    .where(eq(tables.activities.type, 'milestone'))
  return rows.map(({ text }) => text).toSorted()
}
const quiz = 'check-values-and-names'

/** Marks any lessons of other courses as finished. */
const finishLessons = (count: number) =>
  db.execute(sql`insert into lesson_progress (uid, course_id, lesson_id, earned_at)
    select ${uid}, course_id, id, now() from course_lessons where kind <> 'announced' and not (course_id = ${python})
    order by course_id, position limit ${count}`)
const recordStudyDays = (...daysAgo: number[]) =>
  db.insert(tables.studyDays).values(
    daysAgo.map((ago) => {
      const at = new Date(now.getTime() - ago * day).toISOString()
      return { uid, day: at.slice(0, 10), studied: `{["${at}","${at.replace('12:00', '12:30')}")}` }
    }),
  )
const recordExam = (score: number, maxScore: number) =>
  db.insert(tables.examAttempts).values({
    uid,
    id: `a${score}`,
    courseId: python,
    title: 'Exam',
    score,
    maxScore,
    submittedAt: now,
  })
const report = (lessonId: string, studiedAt: Date | null, work = {}) => {
  const start = studiedAt?.getTime() ?? 0
  return recordLessonProgress(learningContext(db), {
    learnerLesson: { uid, courseId: python, lessonId },
    report: {
      progress: {
        watched: [],
        position: null,
        mark: null,
        answered: [],
        readToEnd: false,
        ...work,
      },
      studyIntervals: studiedAt ? [[start, start + 60_000]] : [],
      receivedAt: studiedAt ?? now,
    },
    sessionToken: null,
  })
}
const markDone = { mark: { value: 'done' as const, at: now.getTime() } }

describe('an achievement is earned exactly at its goal', () => {
  it('Bookworm: by the 50th lesson', async () => {
    await finishLessons(49)
    expect(await grant()).toEqual([])

    await db.delete(tables.lessonProgress)
    await finishLessons(50)
    expect(await grant()).toEqual(['bookworm'])
  })

  it('High Achiever: from 95%, nothing rounded up', async () => {
    await recordExam(94, 100)
    await recordExam(189, 200)
    expect(await grant()).toEqual([])

    await recordExam(19, 20)
    expect(await grant()).toEqual(['high-achiever'])
  })

  it('Code Master: by the third technology course', async () => {
    await enroll('typography-for-screens', { completedAt: now })
    await enroll(technology[0], { completedAt: now })
    await enroll(technology[1], { completedAt: now })
    await enroll(technology[2])
    expect(await grant()).toEqual([])

    await db.update(tables.enrollments).set({ completedAt: now })
    expect(await grant()).toEqual(['code-master'])
  })

  it('Fast Learner: within seven days of enrolling', async () => {
    await enroll(technology[0], {
      completedAt: now,
      enrolledAt: new Date(now.getTime() - 7 * day - 1000),
    })
    expect(await grant()).toEqual([])

    await enroll(technology[1], { completedAt: now, enrolledAt: new Date(now.getTime() - 7 * day) })
    expect(await grant()).toEqual(['fast-learner'])
  })

  it('First Certificate: by a certificate that is not revoked', async () => {
    const entry = {
      courseId: python,
      issuedAt: now,
      courseTitle: 'Python',
      lessons: 3,
      materialSeconds: 900,
      examScore: 7,
      examMaxScore: 8,
      statusListNumber: 1,
    }

    await db
      .insert(tables.certificateRegister)
      .values({ ...entry, id: 'c1', statusIndex: 1, revokedAt: now })
    await db
      .insert(tables.certificates)
      .values({ uid, courseId: python, id: 'c1', learnerName: 'Ada' })
    expect(await grant()).toEqual([])

    await db.update(tables.certificateRegister).set({ revokedAt: null })
    expect(await grant()).toEqual(['first-certificate'])
  })

  it('Consistent Learner: by the seventh day in a row', async () => {
    await recordStudyDays(6, 5, 4, 3, 2, 1)
    expect(await grant()).toEqual([])

    await recordStudyDays(0)
    expect(await grant()).toEqual(['consistent-learner'])
  })
})

describe('an achievement is granted in the transaction that earns it', () => {
  it('the first report on the seventh day grants Consistent Learner', async () => {
    await enroll(python)
    await recordStudyDays(6, 5, 4, 3, 2)
    await report('names-and-values', new Date(now.getTime() - day))
    expect(await listGranted()).toEqual([])

    await report('names-and-values', now)
    expect(await listGranted()).toEqual(['consistent-learner'])
    expect(await listMilestones()).toEqual([
      'Earned the achievement Consistent Learner',
      'Studied 7 days in a row',
    ])
  })

  it('a report that spans midnight counts for both days', async () => {
    await enroll(python)
    await recordStudyDays(6, 5, 4, 3, 2)
    await report('names-and-values', new Date('2026-11-19T23:59:30Z'))

    expect(await listGranted()).toEqual(['consistent-learner'])
  })

  it('a late report that closes a gap in the streak counts', async () => {
    await enroll(python)
    await recordStudyDays(6, 5, 4, 2, 1, 0)
    await report('names-and-values', new Date(now.getTime() - 3 * day))

    expect(await listGranted()).toEqual(['consistent-learner'])
  })

  it('two days that are reported at the same time complete the streak', async () => {
    await enroll(python)
    await recordStudyDays(6, 5, 4, 3, 2)
    await Promise.all([
      report('names-and-values', new Date(now.getTime() - day)),
      report(quiz, now),
    ])

    expect(await listGranted()).toEqual(['consistent-learner'])
  })

  it('the 50th lesson grants Bookworm, and unmarking and marking it again records nothing more', async () => {
    await enroll(python)
    await finishLessons(49)
    await report('names-and-values', null, markDone)
    expect(await listGranted()).toEqual(['bookworm'])

    await report('names-and-values', null, { mark: { value: 'undone', at: now.getTime() + 1 } })
    await report('names-and-values', null, { mark: { value: 'done', at: now.getTime() + 2 } })
    expect(await listMilestones()).toEqual(['Earned the achievement Bookworm'])
  })

  it('lessons 49 and 50, finished at the same time in two courses, grant Bookworm', async () => {
    for (let round = 0; round < 10; round++) {
      await db.delete(tables.achievements)
      await db.delete(tables.lessonProgress)
      await db.delete(tables.enrollments)
      await enroll(python)
      await enroll('typography-for-screens')
      await db.execute(sql`insert into lesson_progress (uid, course_id, lesson_id, earned_at)
        select ${uid}, course_id, id, now() from course_lessons
        where kind <> 'announced' and course_id not in (${python}, 'typography-for-screens')
        order by course_id, position limit 48`)
      const {
        rows: [otherLesson],
      } = await db.execute<{ id: string }>(
        sql`select id from course_lessons where course_id = 'typography-for-screens' and kind = 'video' limit 1`,
      )

      await Promise.all([
        report('names-and-values', null, markDone),
        recordLessonProgress(learningContext(db), {
          learnerLesson: {
            uid,
            courseId: 'typography-for-screens',
            lessonId: otherLesson?.id ?? '',
          },
          report: {
            progress: { watched: [], position: null, answered: [], readToEnd: false, ...markDone },
            studyIntervals: [],
            receivedAt: now,
          },
          sessionToken: null,
        }),
      ])

      expect(await listGranted()).toEqual(['bookworm'])
    }
  })
})

it('if several goals are reached at once, all are recorded but only the highest is celebrated', async () => {
  const courses = await db.select({ courseId: tables.courses.id }).from(tables.courses).limit(11)
  const certify = async (some: typeof courses) => {
    const entry = {
      issuedAt: now,
      courseTitle: 'A course',
      lessons: 3,
      materialSeconds: 900,
      examScore: 7,
    }

    for (const { courseId } of some) {
      const [id, statusIndex] = [
        `c-${courseId}`,
        courses.findIndex((course) => course.courseId === courseId),
      ]
      await db
        .insert(tables.certificateRegister)
        .values({ id, courseId, ...entry, examMaxScore: 8, statusListNumber: 2, statusIndex })
      await db.insert(tables.certificates).values({ uid, courseId, id, learnerName: 'Ada' })
    }
  }
  const goals = async () => {
    const rows = await db
      .select()
      .from(tables.activities)
      .where(like(tables.activities.id, 'goal:%'))
    return rows.map(({ text, uncelebrated }) => `${text}${uncelebrated ? '!' : ''}`).toSorted()
  }

  await certify(courses.slice(0, 4))
  await grant()
  expect(await goals()).toEqual(['3 certificates earned!'])

  await certify(courses.slice(4))
  await grant()
  await grant()
  expect(await goals()).toEqual([
    '10 certificates earned!',
    '3 certificates earned!',
    '5 certificates earned',
  ])
})

it('100 parallel requests grant and record each achievement and streak once', async () => {
  await finishLessons(50)
  await recordExam(20, 20)
  await recordStudyDays(6, 5, 4, 3, 2, 1, 0)
  const results = await Promise.all(Array.from({ length: 100 }, grant))

  expect(results.flat().toSorted()).toEqual(['bookworm', 'consistent-learner', 'high-achiever'])
  expect(await listGranted()).toEqual(['bookworm', 'consistent-learner', 'high-achiever'])
  expect(await listMilestones()).toHaveLength(4)
})

it('achievements are granted exactly when the profile shows their goal as reached', async () => {
  const getStatistics = async () => (await getLearnerRecord(db, uid, now)).achievementStatistics
  const listReached = async () => {
    const statistics = await getStatistics()
    return achievementDefinitions
      .filter(({ getProgress }) => {
        const { count, goal } = getProgress(statistics)
        return count >= goal
      })
      .map(({ id }) => id)
  }
  const steps = [
    () =>
      enroll(technology[0], { completedAt: now, enrolledAt: new Date(now.getTime() - 2 * day) }),
    () => enroll(technology[1], { completedAt: now }),
    () => recordExam(95, 100),
    () => recordStudyDays(9, 8, 6, 5, 4, 3, 2, 1, 0),
    () => enroll(technology[2], { completedAt: now }),
    () => finishLessons(1),
  ]

  for (const step of steps) {
    await step()
    await grant()
    expect(await listGranted()).toEqual((await listReached()).toSorted())
  }

  expect(await listGranted()).toEqual([
    'code-master',
    'consistent-learner',
    'fast-learner',
    'high-achiever',
  ])
})
