import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { issueCertificateIfDue } from '~/features/certificates/certificate-issuing.server'
import {
  findCertificate,
  listWaitingCertificates,
} from '~/features/certificates/certificate-queries.server'
import { issueWaitingCertificates, learningContext } from '~/features/certificates/rewards.server'
import { getCorrectAnswer } from '~/features/courses/questions/drawn-question.server'
import type { ExamQuestion } from '~/features/courses/questions/question-kinds.server'
import { getLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { connect, type Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import {
  findExamOverview,
  findOpenAttempt,
  listCoursesWithVisibleAnswers,
} from '../exam-page-queries.server'
import { findExamResult } from '../result/result-queries.server'
import { findStoredAnswers, recordAnswer } from './answer-queries.server'
import { startAttempt, submitAttempt, submitOverdueAttempts } from './attempt-queries.server'

const courseId = 'python-from-zero'
const now = new Date('2026-11-20T12:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const ada = { uid: 'ada', courseId }
/** python-from-zero allows 15 minutes. */
const deadline = 15 * 60
/** Between two attempts, unless the exam says otherwise. */
const pause = 10 * 60

let db: Database
let url: string

beforeEach(async () => {
  if (!db) {
    ;({ db, url } = await createTestDatabase())
  }

  await db.delete(tables.users)
  for (const id of ['ada', 'eve']) {
    const person = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      name: 'Ada Lovelace',
      email: `${id}@learnify.example`,
    }

    await db.insert(tables.users).values({ id, ...person, emailVerified: true })
    await db
      .insert(tables.enrollments)
      .values({ uid: id, courseId, enrolledAt: later(-30 * 86_400) })
  }
})

async function started(at = now): Promise<string> {
  const result = await startAttempt(learningContext(db), ada, at)
  if (result.refusal !== null) {
    throw new Error(result.refusal)
  }

  return result.attemptId
}

/** An attempt whose first question is of this type, whatever else is drawn. */
async function startedWith(type: ExamQuestion['type']): Promise<string> {
  const [exam] = await db.select().from(tables.exams).where(eq(tables.exams.courseId, courseId))
  const draws = [exam?.questions.findIndex((question) => question.type === type) ?? -1]
  const result = await startAttempt(learningContext(db), ada, now, () => draws.pop() ?? 0)
  if (result.refusal !== null) {
    throw new Error(result.refusal)
  }

  expect((await attemptOf(result.attemptId)).paper[0]?.question.type).toBe(type)

  return result.attemptId
}

/** Hands in at once. */
async function takeNothing(at: Date): Promise<string> {
  const attemptId = await started(at)
  await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, at)
  return attemptId
}

async function attemptOf(id: string) {
  const [attempt] = await db
    .select()
    .from(tables.examAttempts)
    .where(eq(tables.examAttempts.id, id))
  if (!attempt) {
    throw new Error('No such attempt.')
  }

  return attempt
}

/** Answers the first `count` questions right. */
async function answerRight(attemptId: string, count = 99, at = now) {
  const { paper } = await attemptOf(attemptId)
  for (const [index, drawn] of paper.slice(0, count).entries()) {
    const given = { uid: 'ada', attemptId, question: index + 1, value: getCorrectAnswer(drawn) }
    expect((await recordAnswer(db, given, at)).outcome).toBe('saved')
  }
}

async function completeCourse(uid = 'ada') {
  await db
    .update(tables.enrollments)
    .set({ completedAt: later(-86_400) })
    .where(and(eq(tables.enrollments.uid, uid), eq(tables.enrollments.courseId, courseId)))
}

async function lessonOf(id: string) {
  const [lesson] = await db
    .select()
    .from(tables.courseLessons)
    .where(eq(tables.courseLessons.id, id))
  if (!lesson) {
    throw new Error('No such lesson.')
  }

  return lesson
}

const storedAnswers = (id: string) => findStoredAnswers(db, { uid: 'ada', id })
const certificatesOf = (uid: string) =>
  db.select().from(tables.certificates).where(eq(tables.certificates.uid, uid))
const activities = async () =>
  (await getLearnerRecord(db, 'ada', now)).recentActivities.map(({ text }) => text)

describe('before an exam', () => {
  it('lessons that were only marked as done are told beside those that the certificate counts', async () => {
    const work = { uid: 'ada', courseId }
    const marked = { ...work, mark: 'done' as const, markedAt: now }
    await db.insert(tables.lessonProgress).values([
      { ...work, lessonId: 'names-and-values', earnedAt: now },
      { ...marked, lessonId: 'how-a-for-loop-walks' },
      { ...marked, lessonId: 'check-loops-and-functions', earnedAt: now },
      { ...work, lessonId: 'functions-that-return', mark: 'undone', markedAt: now },
    ])

    expect(await findExamOverview(db, 'ada', courseId, now)).toMatchObject({
      totalLessons: 6,
      remainingLessons: 3,
      notCounted: [{ id: 'how-a-for-loop-walks', kind: 'video' }],
    })
  })
})

describe('starting', () => {
  it('draws as many questions as the exam says and keeps them for the whole attempt', async () => {
    const first = await started()
    const { paper, deadlineAt, maxScore } = await attemptOf(first)

    expect(paper).toHaveLength(8)
    expect(maxScore).toBe(8)
    expect(deadlineAt).toEqual(later(deadline))
    expect(await started(later(60))).toBe(first)
    expect((await attemptOf(first)).paper).toEqual(paper)
  })

  it('opens one attempt however many requests ask at once', async () => {
    const results = await Promise.all(Array.from({ length: 30 }, () => started()))

    expect(new Set(results).size).toBe(1)
    expect(await db.select().from(tables.examAttempts)).toHaveLength(1)
  })

  it('allows as many attempts as the exam says', async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      await takeNothing(later(attempt * pause))
    }

    expect(await startAttempt(learningContext(db), ada, later(3 * pause))).toEqual({
      refusal: 'no-attempts-left',
    })

    const week = 7 * 86_400
    expect(await startAttempt(learningContext(db), ada, later(week - 1))).toEqual({
      refusal: 'no-attempts-left',
    })
    expect(await startAttempt(learningContext(db), ada, later(week))).toMatchObject({
      refusal: null,
      isNewAttempt: true,
    })
  })

  it('waits for the pause, also with many requests and after the time was over', async () => {
    await takeNothing(now)
    const early = Array.from({ length: 10 }, () =>
      startAttempt(learningContext(db), ada, later(pause - 1)),
    )
    expect(await Promise.all(early)).toEqual(Array(10).fill({ refusal: 'pause' }))

    await started(later(pause))
    const over = pause + deadline
    expect(await startAttempt(learningContext(db), ada, later(over + 60))).toEqual({
      refusal: 'pause',
    })
    expect(await startAttempt(learningContext(db), ada, later(over + pause))).toMatchObject({
      refusal: null,
      isNewAttempt: true,
    })
  })

  it('draws differently for different attempts', async () => {
    const papers: string[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      papers.push(
        JSON.stringify((await attemptOf(await takeNothing(later(attempt * pause)))).paper),
      )
    }

    expect(new Set(papers).size).toBe(3)
  })

  it('is refused to an account whose address is not confirmed, until it is', async () => {
    const confirm = (emailVerified: boolean) =>
      db.update(tables.users).set({ emailVerified }).where(eq(tables.users.id, 'ada'))
    await confirm(false)
    expect(await startAttempt(learningContext(db), ada, now)).toEqual({
      refusal: 'address-unconfirmed',
    })
    expect(await findExamOverview(db, 'ada', courseId, now)).toMatchObject({
      isEmailConfirmed: false,
      openAttemptId: null,
    })

    await confirm(true)
    const attemptId = await started()
    await confirm(false)
    expect(await startAttempt(learningContext(db), ada, later(10))).toMatchObject({
      attemptId,
      isNewAttempt: false,
    })
  })

  it('is refused to those who are not enrolled', async () => {
    expect(
      await startAttempt(
        learningContext(db),
        { uid: 'ada', courseId: 'typography-for-screens' },
        now,
      ),
    ).toEqual({
      refusal: 'not-enrolled',
    })

    expect(
      await startAttempt(learningContext(db), { uid: 'ada', courseId: 'no-such-course' }, now),
    ).toEqual({
      refusal: 'not-enrolled',
    })
  })

  it('hands in the attempt whose time is over before it starts the next one', async () => {
    const first = await started()
    const second = await started(later(deadline + pause))

    expect(second).not.toBe(first)
    expect(await attemptOf(first)).toMatchObject({
      timedOut: true,
      submittedAt: later(deadline),
      score: 0,
    })
  })
})

describe('answering', () => {
  it('keeps the latest answer, however often and in whatever order requests arrive', async () => {
    const attemptId = await startedWith('single')
    const { paper } = await attemptOf(attemptId)
    const give = (value: unknown, revision?: number) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value, revision }, now)

    expect(await give(0, 1)).toMatchObject({ outcome: 'saved', revision: 1 })
    expect(await give(2, 3)).toMatchObject({ outcome: 'saved', revision: 3 })
    expect(await give(1, 2)).toEqual({ outcome: 'stale', revision: 3, answer: 2, ageMs: 0 })
    expect(await give(2, 3)).toMatchObject({ outcome: 'saved', revision: 3 })
    expect(await give(1, 3)).toMatchObject({ outcome: 'stale', revision: 3 })
    expect(await storedAnswers(attemptId)).toMatchObject([
      { questionId: paper[0]?.question.id, answer: 2 },
    ])
    expect(await give(null)).toMatchObject({ outcome: 'saved', revision: 4, answer: null })
    expect(await storedAnswers(attemptId)).toMatchObject([{ answer: null }])
  })

  it('acknowledges the newest of parallel answers and stores that one', async () => {
    const attemptId = await startedWith('text')
    const revisions = Array.from({ length: 30 }, (_, index) => index + 1).reverse()
    await Promise.all(
      revisions.map((revision) =>
        recordAnswer(
          db,
          { uid: 'ada', attemptId, question: 1, value: `v${revision}`, revision },
          now,
        ),
      ),
    )

    expect(await storedAnswers(attemptId)).toMatchObject([{ answer: 'v30' }])
  })

  it('tells how long ago an answer was given, not when it arrived, and never before the attempt', async () => {
    const attemptId = await started()
    const give = (ageMs: number, revision: number, value: unknown = null) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value, revision, ageMs }, later(100))
    await give(30_000, 2)
    expect(await give(0, 1)).toMatchObject({ outcome: 'stale', ageMs: 30_000 })

    await give(86_400_000, 3)
    expect(await give(0, 1)).toMatchObject({ outcome: 'stale', ageMs: 100_000 })
  })

  it('is over a few seconds after the deadline, and once handed in', async () => {
    const attemptId = await started()
    const give = (at: Date) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value: null }, at)
    expect((await give(later(deadline + 4))).outcome).toBe('saved')
    expect((await give(later(deadline + 6))).outcome).toBe('closed')

    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)
    expect((await give(now)).outcome).toBe('closed')
  })

  it("is refused for another learner's attempt, an unknown question and what is no answer", async () => {
    const attemptId = await started()
    const give = (more: object) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value: null, ...more }, now)
    expect(await give({ uid: 'eve' })).toEqual({ outcome: 'unknown' })

    for (const question of [0, -1, 9, 1.5, Number.NaN]) {
      expect(await give({ question })).toEqual({ outcome: 'unknown' })
    }

    expect(await give({ value: { right: true } })).toEqual({ outcome: 'unreadable' })

    for (const revision of [0, -1, 1.5, 1e9, Number.NaN]) {
      expect(await give({ revision })).toEqual({ outcome: 'unreadable' })
    }

    expect(await db.select().from(tables.examAnswers)).toEqual([])
    expect(await submitAttempt(learningContext(db), { uid: 'eve', attemptId }, now)).toBe('unknown')
    expect((await attemptOf(attemptId)).submittedAt).toBeNull()
  })
})

describe('handing in', () => {
  it('because a browser says that the time is over waits for the clock of the server', async () => {
    const attemptId = await started()
    const handIn = (at: Date) =>
      submitAttempt(learningContext(db), { uid: 'ada', attemptId, onlyIfTimeIsUp: true }, at)

    expect(await handIn(later(deadline - 1))).toBe('too-early')
    expect((await attemptOf(attemptId)).submittedAt).toBeNull()
    expect(await handIn(later(deadline))).toBe('submitted')
    expect(await attemptOf(attemptId)).toMatchObject({
      timedOut: true,
      submittedAt: later(deadline),
    })
  })

  it('judges, tells and grants once, however many requests ask at once', async () => {
    await completeCourse()
    const attemptId = await started()
    await answerRight(attemptId)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        submitAttempt(learningContext(db), { uid: 'ada', attemptId }, later(60)),
      ),
    )

    expect(await attemptOf(attemptId)).toMatchObject({
      score: 8,
      maxScore: 8,
      submittedAt: later(60),
      timedOut: false,
    })

    expect((await activities()).toSorted()).toEqual([
      'Earned the achievement First Certificate',
      'Earned the achievement High Achiever',
      'Earned the certificate for Python from Zero',
      'Passed the exam for Python from Zero: 100%',
    ])

    expect(await certificatesOf('ada')).toHaveLength(1)
    expect((await getLearnerRecord(db, 'ada', now)).examScores).toMatchObject([
      { score: 8, maxScore: 8, grade: 'excellent' },
    ])
  })

  it('gives no certificate below the percentage that passes', async () => {
    await completeCourse()
    const attemptId = await started()
    await answerRight(attemptId, 4)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)

    expect(await certificatesOf('ada')).toEqual([])
    expect(await activities()).toEqual(['Took the exam for Python from Zero: 50%'])
  })

  it('is done by the server when the time is over, with the answers that were given', async () => {
    const attemptId = await started()
    await answerRight(attemptId, 5)
    expect(await submitOverdueAttempts(learningContext(db), later(deadline + 1))).toBe(0)

    const other = connect(url, { poolSize: 2 })
    await Promise.all([
      submitOverdueAttempts(learningContext(db), later(deadline + 10)),
      submitOverdueAttempts(learningContext(other.database), later(deadline + 10)),
    ])
    await other.pool.end()
    expect(await attemptOf(attemptId)).toMatchObject({
      score: 5,
      timedOut: true,
      submittedAt: later(deadline),
    })

    expect(await activities()).toEqual(['Passed the exam for Python from Zero: 62%'])
  })

  it('counts as done once the time is over, also before the server has stored it', async () => {
    const attemptId = await started()
    await answerRight(attemptId, 5)
    const at = later(deadline + 10)
    const overview = await findExamOverview(db, 'ada', courseId, at)
    expect(overview).toMatchObject({
      openAttemptId: null,
      submittedAttemptCount: 1,
      passed: true,
      attempts: [{ score: 5, timedOut: true }],
    })

    expect(await findOpenAttempt(db, 'ada', attemptId, at)).toBeNull()

    const read =
      overview && (await findExamResult(db, { uid: 'ada', courseId, attemptId }, overview, at))
    expect(read?.questions).toHaveLength(8)

    await submitOverdueAttempts(learningContext(db), at)
    expect(await findExamOverview(db, 'ada', courseId, at)).toEqual(overview)
    expect(
      overview && (await findExamResult(db, { uid: 'ada', courseId, attemptId }, overview, at)),
    ).toEqual(read)
  })

  it('follows the attempt and not the content of today', async () => {
    const attemptId = await started()
    await answerRight(attemptId)
    const [exam] = await db.select().from(tables.exams).where(eq(tables.exams.courseId, courseId))
    await db
      .update(tables.exams)
      .set({ questions: [], passPercent: 100 })
      .where(eq(tables.exams.courseId, courseId))
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)
    await db
      .update(tables.exams)
      .set({ questions: exam?.questions, passPercent: 60 })
      .where(eq(tables.exams.courseId, courseId))

    expect(await attemptOf(attemptId)).toMatchObject({ score: 8, passPercent: 60 })
  })
})

describe('the right answers', () => {
  const resultOf = async (attemptId: string, at = now) => {
    const overview = await findExamOverview(db, 'ada', courseId, at)
    if (!overview) {
      throw new Error('No overview.')
    }

    expect((await listCoursesWithVisibleAnswers(db, 'ada')).has(courseId)).toBe(
      overview.canSeeAnswers,
    )

    return findExamResult(db, { uid: 'ada', courseId, attemptId }, overview, at)
  }
  const secretsIn = async (attemptId: string, result: unknown) => {
    const text = JSON.stringify(result)
    const { paper } = await attemptOf(attemptId)
    const secrets = paper.flatMap((drawn) => {
      const options = 'options' in drawn.question ? drawn.question.options : []
      return [drawn.question.explanation, ...options]
    })

    return secrets.filter((secret) => text.includes(JSON.stringify(secret)))
  }
  const fail = async (at: Date) => {
    const attemptId = await started(at)
    await answerRight(attemptId, 2, at)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, at)

    return attemptId
  }
  const setWindow = (attemptsWithinDays: number | null) =>
    db.update(tables.exams).set({ attemptsWithinDays }).where(eq(tables.exams.courseId, courseId))

  it('stay secret while attempts come back, however many were used, and so does right or wrong', async () => {
    const attempts = [await fail(now), await fail(later(pause)), await fail(later(2 * pause))]
    for (const attemptId of attempts) {
      const result = await resultOf(attemptId, later(3 * pause))
      expect(result).toMatchObject({ score: 2, maxScore: 8, questions: null })
      expect(await secretsIn(attemptId, result)).toEqual([])
    }
  })

  it('show once the attempts are used up for good', async () => {
    await setWindow(null)
    const first = await fail(now)
    expect((await resultOf(first))?.questions).toBeNull()

    await fail(later(pause))
    await fail(later(2 * pause))
    expect(
      (await resultOf(first, later(3 * pause)))?.questions?.[0]?.solution?.explanation,
    ).toBeTruthy()

    await setWindow(7)
  })

  it('show after a pass, in every result, but not while another attempt is under way', async () => {
    const failed = await fail(now)
    const attemptId = await started(later(pause))
    await answerRight(attemptId, 8, later(pause))
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, later(pause))
    for (const id of [failed, attemptId]) {
      expect((await resultOf(id))?.questions?.[0]?.solution?.explanation).toBeTruthy()
    }

    await started(later(3 * pause))

    expect((await resultOf(failed))?.questions).toBeNull()
  })
})

describe('the certificate', () => {
  const pass = async () => {
    const attemptId = await started()
    await answerRight(attemptId)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)
  }
  const issue = () =>
    db.transaction((transaction) => issueCertificateIfDue(transaction, 'ada', courseId, now))

  it('waits for the exam and for the lessons, whichever comes last', async () => {
    await completeCourse()
    expect(await issue()).toBeNull()

    await db.update(tables.enrollments).set({ completedAt: null })
    await pass()
    expect(await certificatesOf('ada')).toEqual([])

    await completeCourse()
    expect(await issue()).toMatch(/^[\w-]{22}$/)
    expect(await certificatesOf('ada')).toMatchObject([
      { learnerName: 'Ada Lovelace', showsName: true, issuedAt: now },
    ])
  })

  it('waits for the address to be confirmed, and is issued then by the one sweep, once', async () => {
    await pass()
    await db.update(tables.users).set({ emailVerified: false })
    await completeCourse()
    expect(await issue()).toBeNull()
    expect(await certificatesOf('ada')).toEqual([])
    expect(await listWaitingCertificates(db, 'ada')).toMatchObject([{ courseId }])
    expect(await findExamOverview(db, 'ada', courseId, now)).toMatchObject({
      isEmailConfirmed: false,
      certificate: null,
    })
    expect(await issueWaitingCertificates(db, now)).toBe(0)
    expect(
      (await getLearnerRecord(db, 'ada', now)).achievements.map(({ name }) => name),
    ).not.toContain('First Certificate')

    await db.update(tables.users).set({ emailVerified: true })
    const issued = await Promise.all(
      Array.from({ length: 10 }, () => issueWaitingCertificates(db, later(60))),
    )
    expect(issued.reduce((sum, count) => sum + count)).toBe(1)
    expect(await certificatesOf('ada')).toMatchObject([{ issuedAt: later(60) }])
    expect(await listWaitingCertificates(db, 'ada')).toEqual([])
    expect((await getLearnerRecord(db, 'ada', now)).achievements.map(({ name }) => name)).toContain(
      'First Certificate',
    )
  })

  it('states what was done: lessons, their measured length, and the exam as it was passed first', async () => {
    const lesson = { uid: 'ada', courseId, lessonId: 'names-and-values' }
    await db.insert(tables.lessonProgress).values({ ...lesson, earnedAt: now })
    await completeCourse()
    const attemptId = await started()
    await answerRight(attemptId, 6)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)
    const [held] = await certificatesOf('ada')
    const { durationSeconds } = await lessonOf(lesson.lessonId)

    expect((await findCertificate(db, held?.id ?? ''))?.progress).toEqual({
      lessons: 1,
      materialSeconds: durationSeconds,
      examScore: 6,
      examMaxScore: 8,
    })
  })

  it('is one, also when 100 requests race for it', async () => {
    await pass()
    await completeCourse()
    const other = connect(url, { poolSize: 10 })
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? other.database : db).transaction((transaction) =>
          issueCertificateIfDue(transaction, 'ada', courseId, now),
        ),
      ),
    )

    await other.pool.end()
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await certificatesOf('ada')).toHaveLength(1)
    expect((await activities()).filter((text) => text.includes('certificate for'))).toHaveLength(1)

    const [held] = await certificatesOf('ada')
    const register = await db
      .select()
      .from(tables.certificateRegister)
      .where(eq(tables.certificateRegister.issuedAt, now))
    expect(register.filter(({ id }) => id === held?.id)).toHaveLength(1)
  })

  it('is refused by the database itself a second time', async () => {
    await pass()
    await completeCourse()
    await issue()
    const [held] = await certificatesOf('ada')
    if (!held) {
      throw new Error('No certificate.')
    }

    await expect(db.insert(tables.certificates).values({ ...held })).rejects.toThrow()
  })

  it('is not earned a second time after it was revoked', async () => {
    await completeCourse()
    await pass()
    await db.update(tables.certificateRegister).set({ revokedAt: now })

    expect(await issue()).toBeNull()
    expect((await getLearnerRecord(db, 'ada', now)).certificatesEarned).toBe(0)
  })

  it("stays in the register, without the person, when the learner's account is deleted", async () => {
    await completeCourse()
    await pass()
    const [held] = await certificatesOf('ada')
    await db.delete(tables.users).where(eq(tables.users.id, 'ada'))
    expect(await certificatesOf('ada')).toEqual([])

    const [entry] = await db
      .select()
      .from(tables.certificateRegister)
      .where(eq(tables.certificateRegister.id, held?.id ?? ''))
    expect(entry).toMatchObject({ courseTitle: 'Python from Zero' })
    expect(JSON.stringify(entry)).not.toContain('Lovelace')
  })
})
