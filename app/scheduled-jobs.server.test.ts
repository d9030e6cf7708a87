import { and, eq, type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import {
  certificates,
  contentState,
  courseLessons,
  enrollments,
  examAttempts,
  exams,
  lessonAliases,
  lessonProgress,
  users,
} from '~/server/database/schema'
import { createTestDatabase } from '../tests/support/test-database'
import { createJobRunner } from './scheduled-jobs.server'

const courseId = 'python-from-zero'
const now = new Date('2026-11-20T12:00:00Z')

/**
 * What the content loader stores when the operator takes a lesson away, or joins it with another by
 * `aliases`.
 */
const ends = {
  'takes its last open lesson away': (db: Database, ofCourse: SQL | undefined, id: string) =>
    db
      .update(courseLessons)
      .set({ retired: true })
      .where(and(ofCourse, eq(courseLessons.id, id))),
  'joins its last open lesson with one that is done': async (
    db: Database,
    ofCourse: SQL | undefined,
    id: string,
    doneId: string,
  ) => {
    await db.delete(courseLessons).where(and(ofCourse, eq(courseLessons.id, id)))
    await db.insert(lessonAliases).values({ courseId, alias: id, lessonId: doneId })
  },
}

it.each(Object.entries(ends))(
  'completes a course at the next content change if the operator %s',
  async (_, end) => {
    const { db } = await createTestDatabase()
    // This would also trigger a check for finished work.
    await db.delete(courseLessons).where(eq(courseLessons.kind, 'announced'))
    const runDueJobs = createJobRunner(db)
    await runDueJobs(now)
    const person = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      name: 'Ada Lovelace',
      email: 'ada@learnify.example',
    }

    await db.insert(users).values({ id: 'ada', ...person })
    await db.insert(enrollments).values({ uid: 'ada', courseId })
    const ofCourse = eq(courseLessons.courseId, courseId)
    const [open, ...done] = await db.select().from(courseLessons).where(ofCourse)
    for (const { id } of done) {
      await db.insert(lessonProgress).values({ uid: 'ada', courseId, lessonId: id, earnedAt: now })
    }

    const completedAt = async () => (await db.select().from(enrollments))[0]?.completedAt
    await runDueJobs(now)
    expect(await completedAt()).toBeNull()

    await end(db, ofCourse, open?.id ?? '', done[0]?.id ?? '')
    await db.update(contentState).set({ hash: sql`'another'` })
    await runDueJobs(now)
    expect(await completedAt()).toEqual(now)
  },
)

it('reports a certificate that cannot be issued and issues the others', async () => {
  const { db } = await createTestDatabase()
  const [exam] = await db.select().from(exams)
  const courseOfExam = exam?.courseId ?? ''
  for (const uid of ['a', 'b', 'c']) {
    await db.insert(users).values({
      id: uid,
      name: uid,
      firstName: uid,
      email: `${uid}@learnify.example`,
      emailVerified: true,
    })

    await db
      .insert(enrollments)
      .values({ uid, courseId: courseOfExam, completedAt: now, certificateWaitsSince: now })
    const attempt = {
      id: 'passed',
      title: 'Exam',
      maxScore: 1,
      score: 1,
      submittedAt: now,
      deadlineAt: now,
    }

    await db.insert(examAttempts).values({ uid, courseId: courseOfExam, ...attempt })
  }

  await db.execute(sql`alter table certificates add constraint not_for_b check (uid <> 'b')`)
  await expect(createJobRunner(db)(now)).rejects.toThrow()
  expect((await db.select().from(certificates)).map(({ uid }) => uid).toSorted()).toEqual([
    'a',
    'c',
  ])
})

describe('a hundred learners whose work fails', () => {
  const earlier = new Date('2026-11-20T11:00:00Z')
  const deadlineAt = new Date('2026-11-20T10:00:00Z')
  const failingUids = Array.from({ length: 100 }, (_, index) => `failing-${index}`)
  const uids = [...failingUids, 'ada']

  /** Runs the jobs until `isDone`, or 20 times. */
  async function runJobs(db: Database, isDone: () => Promise<boolean>) {
    const runDueJobs = createJobRunner(db)
    for (let run = 0; run < 20 && !(await isDone()); run++) {
      await runDueJobs(now).catch(() => {})
    }
  }

  async function insertLearners(db: Database) {
    const learners = uids.map((uid) => ({
      id: uid,
      name: uid,
      firstName: uid,
      email: `${uid}@learnify.example`,
      emailVerified: true,
    }))
    await db.insert(users).values(learners)
  }

  it('don’t hold up the certificate of another learner', async () => {
    const { db } = await createTestDatabase()
    const [exam] = await db.select().from(exams)
    const courseOfExam = exam?.courseId ?? ''
    await insertLearners(db)
    await db.insert(enrollments).values(
      uids.map((uid) => ({
        uid,
        courseId: courseOfExam,
        completedAt: now,
        certificateWaitsSince: now,
      })),
    )
    const attempt = { id: 'passed', title: 'Exam', maxScore: 1, score: 1, submittedAt: now }
    await db
      .insert(examAttempts)
      .values(uids.map((uid) => ({ uid, courseId: courseOfExam, ...attempt, deadlineAt })))
    await db.execute(sql`alter table certificates add constraint only_ada check (uid = 'ada')`)

    const hasCertificate = async () => (await db.$count(certificates)) > 0
    await runJobs(db, hasCertificate)
    expect(await hasCertificate()).toBe(true)
  })

  it('don’t hold up the exam of another learner', async () => {
    const { db } = await createTestDatabase()
    await insertLearners(db)
    await db.insert(enrollments).values(uids.map((uid) => ({ uid, courseId })))
    const attempt = { id: 'open', title: 'Exam', maxScore: 1 }
    await db.insert(examAttempts).values(
      uids.map((uid) => ({
        uid,
        courseId,
        ...attempt,
        startedAt: deadlineAt,
        deadlineAt: uid === 'ada' ? earlier : deadlineAt,
      })),
    )
    await db.execute(
      sql`alter table exam_attempts add constraint only_ada check (submitted_at is null or uid = 'ada')`,
    )

    const isSubmitted = async () =>
      (await db.$count(examAttempts, sql`submitted_at is not null`)) > 0
    await runJobs(db, isSubmitted)
    expect(await isSubmitted()).toBe(true)
  })
})
