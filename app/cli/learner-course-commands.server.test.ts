import { beforeEach, describe, expect, it } from 'vitest'
import { courseWork } from '~/features/certificates/finished-work.server'
import { handInAttempt, startAttempt } from '~/features/exams/attempt/attempt-queries.server'
import { listAnsweredCourses } from '~/features/exams/exam-page-queries.server'
import { recordLessonProgress } from '~/features/learning/progress/record-progress.server'
import { databaseTime } from '~/server/database/database-time.server'
import * as tables from '~/server/database/schema'
import { adminOf, auditOf } from '../../tests/support/admin'
import { testDatabase } from '../../tests/support/test-database'

const courseId = 'python-from-zero'
const { db } = await testDatabase()
const admin = adminOf(db)

beforeEach(async () => {
  await db.delete(tables.users)
  await db.insert(tables.users).values({
    id: 'ada',
    email: 'ada@test.example',
    name: 'Ada',
    firstName: 'Ada',
    emailVerified: true,
  })
})

const enrolled = async () =>
  (await db.select().from(tables.enrollments)).map((row) => row.courseId).toSorted()

it('courses are listed with their learners, by part of their ID or title', async () => {
  await db.insert(tables.enrollments).values({ uid: 'ada', courseId: 'three-knots' })
  expect(await admin('course', 'list', 'THREE-')).toMatch(
    /^ID +LEARNERS +STATE +TITLE\nthree-knots +1 +published +\S.*$/,
  )
  expect(await admin('course', 'list', '--limit', '1')).toMatch(/\n\nThese are the first 1\. /)
  expect(await admin('course', 'list', 'flying')).toBe("No course has 'flying' in its ID or title.")
})

describe('enrolling', () => {
  it('takes several courses at once, and again is harmless', async () => {
    expect(await admin('learner', 'enroll', 'ada', courseId, 'three-knots')).toBe(
      `Enrolled in ${courseId}, three-knots.`,
    )
    await admin('learner', 'enroll', 'ada', courseId)
    expect(await enrolled()).toEqual([courseId, 'three-knots'])
    expect(await auditOf(db, 'learner enroll')).toMatchObject([
      { subject: 'ada', arguments: { courses: [courseId, 'three-knots'] } },
      { arguments: { courses: [courseId] } },
    ])
  })

  it('is refused as a whole where one course isn’t there', async () => {
    const wrong = admin('learner', 'enroll', 'ada', courseId, 'flying')
    await expect(wrong).rejects.toThrow(
      "Nothing was changed: no published course has the ID 'flying'. See: ",
    )
    expect(await enrolled()).toEqual([])
  })

  it('ends as when learners leave: a completed course stays', async () => {
    await admin('learner', 'enroll', 'ada', courseId)
    await admin('learner', 'remove', 'ada', courseId)
    expect(await enrolled()).toEqual([])
    await expect(admin('learner', 'remove', 'ada', courseId)).rejects.toThrow(/isn’t enrolled/)
    await db.insert(tables.enrollments).values({ uid: 'ada', courseId, completedAt: new Date() })
    await expect(admin('learner', 'remove', 'ada', courseId)).rejects.toThrow(
      /can’t be removed from a course/,
    )
    expect(await enrolled()).toEqual([courseId])
    expect(await auditOf(db, 'learner remove')).toMatchObject([
      { subject: 'ada', arguments: { course: courseId } },
    ])
  })
})

describe('attempts at an exam', () => {
  async function takeAndFail(): Promise<string | null> {
    const now = await databaseTime(db)
    const work = courseWork(db)
    const started = await startAttempt(work, { uid: 'ada', courseId }, now)
    if (started.refusal) {
      return started.refusal
    }

    await handInAttempt(work, { uid: 'ada', attemptId: started.attemptId }, now)

    return null
  }

  it('are given back: the next one begins at once, and results stay', async () => {
    await admin('learner', 'enroll', 'ada', courseId)
    expect(await takeAndFail()).toBeNull()
    expect(await takeAndFail()).toBe('pause')
    expect(await admin('learner', 'reset-attempts', 'ada', courseId)).toBe(
      '1 attempt no longer counts toward the limit.',
    )
    expect(await takeAndFail()).toBeNull()
    expect(await db.select().from(tables.examAttempts)).toHaveLength(2)
    const audit = await auditOf(db, 'learner reset-attempts')
    expect(audit).toMatchObject([{ subject: 'ada', arguments: { course: courseId } }])
  })

  it('hide the right answers again once they are given back', async () => {
    const attempt = {
      uid: 'ada',
      courseId,
      title: 'Exam',
      maxScore: 8,
      score: 0,
      submittedAt: new Date(),
    }

    await db.update(tables.exams).set({ maxAttempts: 2, attemptsWithinDays: null })
    await db.insert(tables.examAttempts).values([
      { ...attempt, id: 'a1' },
      { ...attempt, id: 'a2' },
    ])
    expect(await listAnsweredCourses(db, 'ada')).toEqual(new Set([courseId]))
    await admin('learner', 'reset-attempts', 'ada', courseId)
    expect(await listAnsweredCourses(db, 'ada')).toEqual(new Set())
  })

  it('that were never taken can’t be given back', async () => {
    await expect(admin('learner', 'reset-attempts', 'ada', courseId)).rejects.toThrow(
      /^The learner has no attempt/,
    )
  })
})

describe('the reasons for a learner’s progress', () => {
  const why = () => admin('learner', 'why', 'ada@test.example', 'three-knots')

  it('name what is done and by what, and what is missing', async () => {
    await admin('learner', 'enroll', 'ada', 'three-knots')
    const now = await databaseTime(db)
    const lessonId = 'why-a-knot-holds'
    await recordLessonProgress(courseWork(db), { uid: 'ada', courseId: 'three-knots', lessonId }, {
      work: { watched: [[0, 3000]], position: null, mark: null, answered: [], readToEnd: false },
      studied: [[now.getTime() - 3000, now.getTime()]],
      lengthMs: 3000,
      now,
    } as never)
    const text = await why()
    expect(text).toMatch(/^progress +18%: 1 of 4 lessons done, 0:03 of 0:16/m)
    expect(text).toMatch(/^why-a-knot-holds +video +0:03 +yes +yes +watched 100%; finished on \d/m)
    expect(text).toMatch(/^check-friction +quiz +0:05 +yes +no +not started$/m)
    expect(text).toMatch(/3 lessons aren’t done\./)
    expect(JSON.parse(await admin('learner', 'why', 'ada', 'three-knots', '--json'))).toMatchObject(
      {
        uid: 'ada',
        figures: { percent: 18, doneLessons: 1 },
      },
    )
    const shown = JSON.parse(await admin('learner', 'show', 'ada', '--json'))
    expect(shown.courses).toMatchObject([{ percent: 18, doneLessons: 1, totalLessons: 4 }])
  })

  it('tell when the next attempt is possible', async () => {
    await db.update(tables.users).set({ emailVerified: false })
    await admin('learner', 'enroll', 'ada', courseId)
    expect(await admin('learner', 'why', 'ada', courseId)).toMatch(/^next +now$/m)
    const attempt = {
      uid: 'ada',
      id: 'a1',
      courseId,
      title: 'Exam',
      maxScore: 8,
      score: 2,
      submittedAt: new Date(),
    }

    await db.insert(tables.examAttempts).values(attempt)
    const text = await admin('learner', 'why', 'ada', courseId)
    expect(text).toMatch(/^next +on \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m)
    expect(text).toMatch(/2 of 8 +not passed$/m)
    expect(text).toMatch(/The exam isn’t passed .*The email address isn’t confirmed\.$/m)
  })

  it('are refused for who isn’t enrolled', async () => {
    await expect(why()).rejects.toThrow("The learner isn’t enrolled in 'three-knots'.")
    for (const act of ['why', 'remove', 'reset-attempts']) {
      await expect(admin('learner', act, 'ada', 'flying')).rejects.toThrow(
        /^No course has the ID 'flying'\. See: .*course list/,
      )
    }
  })
})
