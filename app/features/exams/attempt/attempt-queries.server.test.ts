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
/** Returns the time that is so many seconds after `now`. */
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const ada = { uid: 'ada', courseId }
const dayInSeconds = 86_400
/** The exam of the course allows 15 minutes. */
const timeLimitSeconds = 15 * 60
/** The exam of the course requires this pause between two attempts. */
const pauseSeconds = 10 * 60

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
      .values({ uid: id, courseId, enrolledAt: later(-30 * dayInSeconds) })
  }
})

/** Starts an attempt of Ada, or continues the open one, and returns its ID. */
async function start(at = now): Promise<string> {
  const result = await startAttempt(learningContext(db), ada, at)
  if (result.refusal !== null) {
    throw new Error(result.refusal)
  }

  return result.attemptId
}

/** Starts an attempt whose first question has this type, and returns its ID. */
async function startWithQuestionType(type: ExamQuestion['type']): Promise<string> {
  const [exam] = await db.select().from(tables.exams).where(eq(tables.exams.courseId, courseId))
  const firstDraw = [exam?.questions.findIndex((question) => question.type === type) ?? -1]
  const result = await startAttempt(learningContext(db), ada, now, () => firstDraw.pop() ?? 0)
  if (result.refusal !== null) {
    throw new Error(result.refusal)
  }

  const { paper } = await getAttempt(result.attemptId)
  expect(paper[0]?.question.type).toBe(type)

  return result.attemptId
}

/** Starts an attempt, submits it without any answer, and returns its ID. */
async function submitEmptyAttempt(at: Date): Promise<string> {
  const attemptId = await start(at)
  await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, at)
  return attemptId
}

async function getAttempt(id: string) {
  const [attempt] = await db
    .select()
    .from(tables.examAttempts)
    .where(eq(tables.examAttempts.id, id))
  if (!attempt) {
    throw new Error(`The attempt ${id} does not exist.`)
  }

  return attempt
}

/** Gives the correct answers to the first questions, or to all of them. */
async function answerCorrectly(attemptId: string, count = Infinity, at = now) {
  const { paper } = await getAttempt(attemptId)
  for (const [index, drawn] of paper.slice(0, count).entries()) {
    const answer = { uid: 'ada', attemptId, question: index + 1, value: getCorrectAnswer(drawn) }
    expect((await recordAnswer(db, answer, at)).outcome).toBe('saved')
  }
}

async function completeCourse(uid = 'ada') {
  await db
    .update(tables.enrollments)
    .set({ completedAt: later(-dayInSeconds) })
    .where(and(eq(tables.enrollments.uid, uid), eq(tables.enrollments.courseId, courseId)))
}

async function getLesson(id: string) {
  const [lesson] = await db
    .select()
    .from(tables.courseLessons)
    .where(eq(tables.courseLessons.id, id))
  if (!lesson) {
    throw new Error(`The lesson ${id} does not exist.`)
  }

  return lesson
}

const listStoredAnswers = (attemptId: string) =>
  findStoredAnswers(db, { uid: 'ada', id: attemptId })
const listCertificates = (uid: string) =>
  db.select().from(tables.certificates).where(eq(tables.certificates.uid, uid))

async function listActivities() {
  const { recentActivities } = await getLearnerRecord(db, 'ada', now)
  return recentActivities.map(({ text }) => text)
}

async function listAchievements() {
  const { achievements } = await getLearnerRecord(db, 'ada', now)
  return achievements.map(({ name }) => name)
}

describe('before an exam', () => {
  it('the overview lists lessons that are only marked as done, which the certificate does not count', async () => {
    const markedAsDone = { ...ada, mark: 'done' as const, markedAt: now }
    await db.insert(tables.lessonProgress).values([
      { ...ada, lessonId: 'names-and-values', earnedAt: now },
      { ...markedAsDone, lessonId: 'how-a-for-loop-walks' },
      { ...markedAsDone, lessonId: 'check-loops-and-functions', earnedAt: now },
      { ...ada, lessonId: 'functions-that-return', mark: 'undone', markedAt: now },
    ])

    expect(await findExamOverview(db, 'ada', courseId, now)).toMatchObject({
      totalLessons: 6,
      remainingLessons: 3,
      notCounted: [{ id: 'how-a-for-loop-walks', kind: 'video' }],
    })
  })
})

describe('starting an attempt', () => {
  it('draws as many questions as the exam says, and keeps them for the whole attempt', async () => {
    const attemptId = await start()
    const { paper, deadlineAt, maxScore } = await getAttempt(attemptId)

    expect(paper).toHaveLength(8)
    expect(maxScore).toBe(8)
    expect(deadlineAt).toEqual(later(timeLimitSeconds))
    expect(await start(later(60))).toBe(attemptId)
    expect((await getAttempt(attemptId)).paper).toEqual(paper)
  })

  it('opens one attempt, even for many requests at the same time', async () => {
    const attemptIds = await Promise.all(Array.from({ length: 30 }, () => start()))

    expect(new Set(attemptIds).size).toBe(1)
    expect(await db.select().from(tables.examAttempts)).toHaveLength(1)
  })

  it('allows as many attempts as the exam says', async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      await submitEmptyAttempt(later(attempt * pauseSeconds))
    }

    expect(await startAttempt(learningContext(db), ada, later(3 * pauseSeconds))).toEqual({
      refusal: 'no-attempts-left',
    })

    const weekInSeconds = 7 * dayInSeconds
    expect(await startAttempt(learningContext(db), ada, later(weekInSeconds - 1))).toEqual({
      refusal: 'no-attempts-left',
    })
    expect(await startAttempt(learningContext(db), ada, later(weekInSeconds))).toMatchObject({
      refusal: null,
      isNewAttempt: true,
    })
  })

  it('is refused during the pause, with many requests and after an attempt that ran out of time', async () => {
    await submitEmptyAttempt(now)
    const earlyRequests = Array.from({ length: 10 }, () =>
      startAttempt(learningContext(db), ada, later(pauseSeconds - 1)),
    )
    expect(await Promise.all(earlyRequests)).toEqual(Array(10).fill({ refusal: 'pause' }))

    await start(later(pauseSeconds))
    const end = pauseSeconds + timeLimitSeconds
    expect(await startAttempt(learningContext(db), ada, later(end + 60))).toEqual({
      refusal: 'pause',
    })
    expect(await startAttempt(learningContext(db), ada, later(end + pauseSeconds))).toMatchObject({
      refusal: null,
      isNewAttempt: true,
    })
  })

  it('draws other questions for each attempt', async () => {
    const papers: string[] = []
    for (let index = 0; index < 3; index++) {
      const attemptId = await submitEmptyAttempt(later(index * pauseSeconds))
      const { paper } = await getAttempt(attemptId)
      papers.push(JSON.stringify(paper))
    }

    expect(new Set(papers).size).toBe(3)
  })

  it('is refused until the email address of the account is confirmed', async () => {
    const setEmailConfirmed = (emailVerified: boolean) =>
      db.update(tables.users).set({ emailVerified }).where(eq(tables.users.id, 'ada'))
    await setEmailConfirmed(false)
    expect(await startAttempt(learningContext(db), ada, now)).toEqual({
      refusal: 'address-unconfirmed',
    })
    expect(await findExamOverview(db, 'ada', courseId, now)).toMatchObject({
      isEmailConfirmed: false,
      openAttemptId: null,
    })

    await setEmailConfirmed(true)
    const attemptId = await start()
    await setEmailConfirmed(false)
    expect(await startAttempt(learningContext(db), ada, later(10))).toMatchObject({
      attemptId,
      isNewAttempt: false,
    })
  })

  it.each(['typography-for-screens', 'no-such-course'])(
    'is refused to a learner who is not enrolled in %s',
    async (otherCourseId) => {
      const learner = { uid: 'ada', courseId: otherCourseId }

      expect(await startAttempt(learningContext(db), learner, now)).toEqual({
        refusal: 'not-enrolled',
      })
    },
  )

  it('first submits the previous attempt if that has run out of time', async () => {
    const first = await start()
    const second = await start(later(timeLimitSeconds + pauseSeconds))

    expect(second).not.toBe(first)
    expect(await getAttempt(first)).toMatchObject({
      timedOut: true,
      submittedAt: later(timeLimitSeconds),
      score: 0,
    })
  })
})

describe('answering a question', () => {
  it('keeps the latest answer, however often and in whatever order requests arrive', async () => {
    const attemptId = await startWithQuestionType('single')
    const { paper } = await getAttempt(attemptId)
    const answer = (value: unknown, revision?: number) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value, revision }, now)

    expect(await answer(0, 1)).toMatchObject({ outcome: 'saved', revision: 1 })
    expect(await answer(2, 3)).toMatchObject({ outcome: 'saved', revision: 3 })
    expect(await answer(1, 2)).toEqual({ outcome: 'stale', revision: 3, answer: 2, ageMs: 0 })
    expect(await answer(2, 3)).toMatchObject({ outcome: 'saved', revision: 3 })
    expect(await answer(1, 3)).toMatchObject({ outcome: 'stale', revision: 3 })
    expect(await listStoredAnswers(attemptId)).toMatchObject([
      { questionId: paper[0]?.question.id, answer: 2 },
    ])
    expect(await answer(null)).toMatchObject({ outcome: 'saved', revision: 4, answer: null })
    expect(await listStoredAnswers(attemptId)).toMatchObject([{ answer: null }])
  })

  it('stores the newest of parallel answers', async () => {
    const attemptId = await startWithQuestionType('text')
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

    expect(await listStoredAnswers(attemptId)).toMatchObject([{ answer: 'v30' }])
  })

  it('returns how long ago an answer was given, not when it arrived, and never before the attempt', async () => {
    const attemptId = await start()
    const answer = (ageMs: number, revision: number, value: unknown = null) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value, revision, ageMs }, later(100))
    await answer(30_000, 2)
    expect(await answer(0, 1)).toMatchObject({ outcome: 'stale', ageMs: 30_000 })

    await answer(86_400_000, 3)
    expect(await answer(0, 1)).toMatchObject({ outcome: 'stale', ageMs: 100_000 })
  })

  it('is possible until a few seconds after the deadline, or until the attempt is submitted', async () => {
    const attemptId = await start()
    const answer = (at: Date) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value: null }, at)
    expect((await answer(later(timeLimitSeconds + 4))).outcome).toBe('saved')
    expect((await answer(later(timeLimitSeconds + 6))).outcome).toBe('closed')

    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)
    expect((await answer(now)).outcome).toBe('closed')
  })

  it("is refused for another learner's attempt, an unknown question and an invalid answer", async () => {
    const attemptId = await start()
    const answer = (changes: object) =>
      recordAnswer(db, { uid: 'ada', attemptId, question: 1, value: null, ...changes }, now)
    expect(await answer({ uid: 'eve' })).toEqual({ outcome: 'unknown' })

    for (const question of [0, -1, 9, 1.5, Number.NaN]) {
      expect(await answer({ question })).toEqual({ outcome: 'unknown' })
    }

    expect(await answer({ value: { right: true } })).toEqual({ outcome: 'unreadable' })

    for (const revision of [0, -1, 1.5, 1e9, Number.NaN]) {
      expect(await answer({ revision })).toEqual({ outcome: 'unreadable' })
    }

    expect(await db.select().from(tables.examAnswers)).toEqual([])
    expect(await submitAttempt(learningContext(db), { uid: 'eve', attemptId }, now)).toBe('unknown')
    expect((await getAttempt(attemptId)).submittedAt).toBeNull()
  })
})

describe('submitting an attempt', () => {
  it('because the time is over in the browser waits for the clock of the server', async () => {
    const attemptId = await start()
    const submitIfTimeIsUp = (at: Date) =>
      submitAttempt(learningContext(db), { uid: 'ada', attemptId, onlyIfTimeIsUp: true }, at)

    expect(await submitIfTimeIsUp(later(timeLimitSeconds - 1))).toBe('too-early')
    expect((await getAttempt(attemptId)).submittedAt).toBeNull()
    expect(await submitIfTimeIsUp(later(timeLimitSeconds))).toBe('submitted')
    expect(await getAttempt(attemptId)).toMatchObject({
      timedOut: true,
      submittedAt: later(timeLimitSeconds),
    })
  })

  it('grades the exam and grants rewards once, even for many requests at the same time', async () => {
    await completeCourse()
    const attemptId = await start()
    await answerCorrectly(attemptId)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        submitAttempt(learningContext(db), { uid: 'ada', attemptId }, later(60)),
      ),
    )

    expect(await getAttempt(attemptId)).toMatchObject({
      score: 8,
      maxScore: 8,
      submittedAt: later(60),
      timedOut: false,
    })

    expect((await listActivities()).toSorted()).toEqual([
      'Earned the achievement First Certificate',
      'Earned the achievement High Achiever',
      'Earned the certificate for Python from Zero',
      'Passed the exam for Python from Zero: 100%',
    ])

    expect(await listCertificates('ada')).toHaveLength(1)
    expect((await getLearnerRecord(db, 'ada', now)).examScores).toMatchObject([
      { score: 8, maxScore: 8, grade: 'excellent' },
    ])
  })

  it('grants no certificate below the percentage that passes', async () => {
    await completeCourse()
    const attemptId = await start()
    await answerCorrectly(attemptId, 4)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)

    expect(await listCertificates('ada')).toEqual([])
    expect(await listActivities()).toEqual(['Took the exam for Python from Zero: 50%'])
  })

  it('is done by the server once, with the saved answers, when the time is over', async () => {
    const attemptId = await start()
    await answerCorrectly(attemptId, 5)
    expect(await submitOverdueAttempts(learningContext(db), later(timeLimitSeconds + 1))).toBe(0)

    const otherProcess = connect(url, { poolSize: 2 })
    await Promise.all([
      submitOverdueAttempts(learningContext(db), later(timeLimitSeconds + 10)),
      submitOverdueAttempts(learningContext(otherProcess.database), later(timeLimitSeconds + 10)),
    ])
    await otherProcess.pool.end()

    expect(await getAttempt(attemptId)).toMatchObject({
      score: 5,
      timedOut: true,
      submittedAt: later(timeLimitSeconds),
    })

    expect(await listActivities()).toEqual(['Passed the exam for Python from Zero: 62%'])
  })

  it('takes effect when the time is over, even before the server has stored it', async () => {
    const attemptId = await start()
    await answerCorrectly(attemptId, 5)
    const at = later(timeLimitSeconds + 10)
    const overview = await findExamOverview(db, 'ada', courseId, at)
    expect(overview).toMatchObject({
      openAttemptId: null,
      submittedAttemptCount: 1,
      passed: true,
      attempts: [{ score: 5, timedOut: true }],
    })

    expect(await findOpenAttempt(db, 'ada', attemptId, at)).toBeNull()

    const resultBefore =
      overview && (await findExamResult(db, { uid: 'ada', courseId, attemptId }, overview, at))
    expect(resultBefore?.questions).toHaveLength(8)

    await submitOverdueAttempts(learningContext(db), at)
    expect(await findExamOverview(db, 'ada', courseId, at)).toEqual(overview)
    expect(
      overview && (await findExamResult(db, { uid: 'ada', courseId, attemptId }, overview, at)),
    ).toEqual(resultBefore)
  })

  it('grades the questions of the attempt, even if the exam has changed since', async () => {
    const attemptId = await start()
    await answerCorrectly(attemptId)
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

    expect(await getAttempt(attemptId)).toMatchObject({ score: 8, passPercent: 60 })
  })
})

describe('the correct answers', () => {
  const findResult = async (attemptId: string, at = now) => {
    const overview = await findExamOverview(db, 'ada', courseId, at)
    if (!overview) {
      throw new Error('Ada is not enrolled.')
    }

    expect((await listCoursesWithVisibleAnswers(db, 'ada')).has(courseId)).toBe(
      overview.canSeeAnswers,
    )

    return findExamResult(db, { uid: 'ada', courseId, attemptId }, overview, at)
  }

  /** Lists the explanations and options of the attempt that the result contains. */
  const listRevealedTexts = async (attemptId: string, result: unknown) => {
    const json = JSON.stringify(result)
    const { paper } = await getAttempt(attemptId)
    const secretTexts = paper.flatMap(({ question }) => {
      const options = 'options' in question ? question.options : []
      return [question.explanation, ...options]
    })

    return secretTexts.filter((text) => json.includes(JSON.stringify(text)))
  }

  const failExam = async (at: Date) => {
    const attemptId = await start(at)
    await answerCorrectly(attemptId, 2, at)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, at)

    return attemptId
  }

  const setAttemptPeriod = (attemptsWithinDays: number | null) =>
    db.update(tables.exams).set({ attemptsWithinDays }).where(eq(tables.exams.courseId, courseId))

  it('and the verdicts stay secret if used attempts become available again', async () => {
    const attempts = [
      await failExam(now),
      await failExam(later(pauseSeconds)),
      await failExam(later(2 * pauseSeconds)),
    ]
    for (const attemptId of attempts) {
      const result = await findResult(attemptId, later(3 * pauseSeconds))
      expect(result).toMatchObject({ score: 2, maxScore: 8, questions: null })
      expect(await listRevealedTexts(attemptId, result)).toEqual([])
    }
  })

  it('are shown if every attempt is used and none becomes available again', async () => {
    await setAttemptPeriod(null)
    const first = await failExam(now)
    expect((await findResult(first))?.questions).toBeNull()

    await failExam(later(pauseSeconds))
    await failExam(later(2 * pauseSeconds))
    expect(
      (await findResult(first, later(3 * pauseSeconds)))?.questions?.[0]?.solution?.explanation,
    ).toBeTruthy()

    await setAttemptPeriod(7)
  })

  it('are shown in every result after a pass, but not during another attempt', async () => {
    const failedAttemptId = await failExam(now)
    const attemptId = await start(later(pauseSeconds))
    await answerCorrectly(attemptId, 8, later(pauseSeconds))
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, later(pauseSeconds))
    for (const id of [failedAttemptId, attemptId]) {
      expect((await findResult(id))?.questions?.[0]?.solution?.explanation).toBeTruthy()
    }

    await start(later(3 * pauseSeconds))

    expect((await findResult(failedAttemptId))?.questions).toBeNull()
  })
})

describe('the certificate', () => {
  const passExam = async () => {
    const attemptId = await start()
    await answerCorrectly(attemptId)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)
  }

  const issueCertificate = () =>
    db.transaction((transaction) => issueCertificateIfDue(transaction, 'ada', courseId, now))

  it('is issued when both the exam and the lessons are done, in either order', async () => {
    await completeCourse()
    expect(await issueCertificate()).toBeNull()

    await db.update(tables.enrollments).set({ completedAt: null })
    await passExam()
    expect(await listCertificates('ada')).toEqual([])

    await completeCourse()
    expect(await issueCertificate()).toMatch(/^[\w-]{22}$/)
    expect(await listCertificates('ada')).toMatchObject([
      { learnerName: 'Ada Lovelace', showsName: true, issuedAt: now },
    ])
  })

  it('waits for a confirmed email address, and is then issued once by the background job', async () => {
    await passExam()
    await db.update(tables.users).set({ emailVerified: false })
    await completeCourse()
    expect(await issueCertificate()).toBeNull()
    expect(await listCertificates('ada')).toEqual([])
    expect(await listWaitingCertificates(db, 'ada')).toMatchObject([{ courseId }])
    expect(await findExamOverview(db, 'ada', courseId, now)).toMatchObject({
      isEmailConfirmed: false,
      certificate: null,
    })
    expect(await issueWaitingCertificates(db, now)).toBe(0)
    expect(await listAchievements()).not.toContain('First Certificate')

    await db.update(tables.users).set({ emailVerified: true })
    const issuedCounts = await Promise.all(
      Array.from({ length: 10 }, () => issueWaitingCertificates(db, later(60))),
    )
    expect(issuedCounts.reduce((sum, count) => sum + count)).toBe(1)
    expect(await listCertificates('ada')).toMatchObject([{ issuedAt: later(60) }])
    expect(await listWaitingCertificates(db, 'ada')).toEqual([])
    expect(await listAchievements()).toContain('First Certificate')
  })

  it('states the counted lessons, their length, and the score of the first pass', async () => {
    const lesson = { uid: 'ada', courseId, lessonId: 'names-and-values' }
    await db.insert(tables.lessonProgress).values({ ...lesson, earnedAt: now })
    await completeCourse()
    const attemptId = await start()
    await answerCorrectly(attemptId, 6)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, now)
    const [certificate] = await listCertificates('ada')
    const { durationSeconds } = await getLesson(lesson.lessonId)

    expect((await findCertificate(db, certificate?.id ?? ''))?.progress).toEqual({
      lessons: 1,
      materialSeconds: durationSeconds,
      examScore: 6,
      examMaxScore: 8,
    })
  })

  it('is issued once, even for 100 requests at the same time', async () => {
    await passExam()
    await completeCourse()
    const otherProcess = connect(url, { poolSize: 10 })
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? otherProcess.database : db).transaction((transaction) =>
          issueCertificateIfDue(transaction, 'ada', courseId, now),
        ),
      ),
    )
    await otherProcess.pool.end()

    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await listCertificates('ada')).toHaveLength(1)
    expect(
      (await listActivities()).filter((text) => text.includes('certificate for')),
    ).toHaveLength(1)

    const [certificate] = await listCertificates('ada')
    const register = await db
      .select()
      .from(tables.certificateRegister)
      .where(eq(tables.certificateRegister.issuedAt, now))
    expect(register.filter(({ id }) => id === certificate?.id)).toHaveLength(1)
  })

  it('is refused by the database itself a second time', async () => {
    await passExam()
    await completeCourse()
    await issueCertificate()
    const [certificate] = await listCertificates('ada')
    if (!certificate) {
      throw new Error('No certificate.')
    }

    await expect(db.insert(tables.certificates).values({ ...certificate })).rejects.toThrow()
  })

  it('is not earned a second time after it was revoked', async () => {
    await completeCourse()
    await passExam()
    await db.update(tables.certificateRegister).set({ revokedAt: now })

    expect(await issueCertificate()).toBeNull()
    expect((await getLearnerRecord(db, 'ada', now)).certificatesEarned).toBe(0)
  })

  it("stays in the register, without the person, when the learner's account is deleted", async () => {
    await completeCourse()
    await passExam()
    const [certificate] = await listCertificates('ada')
    await db.delete(tables.users).where(eq(tables.users.id, 'ada'))
    expect(await listCertificates('ada')).toEqual([])

    const [entry] = await db
      .select()
      .from(tables.certificateRegister)
      .where(eq(tables.certificateRegister.id, certificate?.id ?? ''))
    expect(entry).toMatchObject({ courseTitle: 'Python from Zero' })
    expect(JSON.stringify(entry)).not.toContain('Lovelace')
  })
})
