import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import { getCorrectAnswer } from '~/features/courses/questions/drawn-question.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { recordAnswer } from '../attempt/answer-queries.server'
import { startAttempt, submitAttempt } from '../attempt/attempt-queries.server'
import { findExamOverview, findOpenAttempt, renderExamFormulas } from '../exam-page-queries.server'
import { computeSectionScores, findExamResult } from './result-queries.server'

const courseId = 'python-from-zero'
const uid = 'ada'
const now = new Date('2026-11-20T12:00:00Z')
/** Returns the time that is so many seconds after `now`. */
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const attemptDurationSeconds = 90
/** The learner may take the exam again after this time. */
const oneHour = 3600
/**
 * Links to lessons that explain a question: by a previous ID of a lesson with a second of its
 * video, by the ID alone, to a lesson that no longer exists, and by the ID with a second.
 */
const lessonLinks = ['names-before#12', 'how-a-for-loop-walks', 'long-gone', 'names-and-values#7']
let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  await db
    .insert(tables.lessonAliases)
    .values({ courseId, alias: 'names-before', lessonId: 'names-and-values' })
})
beforeEach(async () => {
  await db.delete(tables.users)
  await db.insert(tables.users).values({
    id: uid,
    email: 'ada@test.example',
    name: 'Ada',
    firstName: 'Ada',
    emailVerified: true,
  })

  await db.insert(tables.enrollments).values({ uid, courseId })
})

/**
 * Starts an attempt whose questions have these links, which are repeated. Returns the ID of the
 * attempt.
 */
async function start(at: Date, explainedIn = lessonLinks): Promise<string> {
  const { attemptId } = (await startAttempt(learningContext(db), { uid, courseId }, at)) as {
    attemptId: string
  }
  const [attempt] = await db
    .select()
    .from(tables.examAttempts)
    .where(eq(tables.examAttempts.id, attemptId))
  const paper = attempt?.paper.map(({ question, order }, index) => ({
    question: { ...question, explainedIn: explainedIn[index % explainedIn.length] },
    order,
  }))
  await db.update(tables.examAttempts).set({ paper }).where(eq(tables.examAttempts.id, attemptId))

  return attemptId
}

async function answerCorrectly(attemptId: string, questions: readonly number[], at: Date) {
  const [attempt] = await db
    .select()
    .from(tables.examAttempts)
    .where(eq(tables.examAttempts.id, attemptId))
  for (const question of questions) {
    const drawn = attempt?.paper[question - 1]
    if (!drawn) {
      throw new Error(`The attempt has no question ${question}.`)
    }

    await recordAnswer(db, { uid, attemptId, question, value: getCorrectAnswer(drawn) }, at)
  }
}

async function findResult(attemptId: string, at: Date) {
  const overview = await findExamOverview(db, uid, courseId, at)
  return overview && findExamResult(db, { uid, courseId, attemptId }, overview, at)
}

it('a wrong answer has a link to the lesson that explains it, once answers are shown', async () => {
  const failedAttemptId = await start(now)
  await answerCorrectly(failedAttemptId, [1], now)
  const failedAt = later(attemptDurationSeconds)
  await submitAttempt(learningContext(db), { uid, attemptId: failedAttemptId }, failedAt)
  const listLinks = async () => {
    const result = await findResult(failedAttemptId, later(oneHour))
    return result?.questions?.map(({ explainedIn }) => explainedIn)
  }
  expect(await listLinks()).toBeUndefined()

  const passedAttemptId = await start(later(oneHour))
  await answerCorrectly(passedAttemptId, [1, 2, 3, 4, 5, 6, 7, 8], later(oneHour))
  const passedAt = later(oneHour + attemptDurationSeconds)
  await submitAttempt(learningContext(db), { uid, attemptId: passedAttemptId }, passedAt)

  const loopLesson = { title: expect.any(String), to: `/Learn/${courseId}/how-a-for-loop-walks` }
  const namesLessonAt = (second: number) => ({
    title: expect.any(String),
    to: `/Learn/${courseId}/names-and-values?at=${second}`,
  })
  expect(await listLinks()).toEqual([
    // The first question was answered correctly.
    null,
    loopLesson,
    null,
    namesLessonAt(7),
    namesLessonAt(12),
    loopLesson,
    null,
    namesLessonAt(7),
  ])
})

it('a result has the time used and the scores of the sections, but neither scores nor answers during another attempt', async () => {
  const attemptId = await start(now, ['names-and-values', 'how-a-for-loop-walks'])
  await answerCorrectly(attemptId, [1, 3, 4], now)
  await submitAttempt(learningContext(db), { uid, attemptId }, later(attemptDurationSeconds))
  const result = await findResult(attemptId, later(oneHour))
  expect(result).toMatchObject({ secondsUsed: attemptDurationSeconds, secondsAllowed: 900 })
  expect(result?.sections.map(({ right, total }) => [right, total])).toEqual([
    [2, 4],
    [1, 4],
  ])

  await start(later(oneHour))
  expect(await findResult(attemptId, later(oneHour + 100))).toMatchObject({
    sections: [],
    questions: null,
  })
})

it('an open attempt continues at the question that was answered last', async () => {
  const attemptId = await start(now)
  const findResumeQuestion = async () => {
    const attempt = await findOpenAttempt(db, uid, attemptId, later(60))
    return attempt?.resumeAt
  }
  expect(await findResumeQuestion()).toBe(1)

  await answerCorrectly(attemptId, [5], later(10))
  await answerCorrectly(attemptId, [2], later(20))
  expect(await findResumeQuestion()).toBe(2)
})

it('formulas are rendered in the texts of the content, but not in the learner’s answers', async () => {
  const attemptId = await start(now)
  const options = ['$right$', '$wrong$']
  const paper: (typeof tables.examAttempts.$inferSelect)['paper'] = [
    {
      question: {
        id: 'typed',
        type: 'text',
        prompt: 'What is $x$?',
        explanation: '',
        accepted: ['$y$'],
      },
      order: [],
    },
    {
      question: {
        id: 'chosen',
        type: 'single',
        prompt: 'Which?',
        explanation: 'So $z$.',
        options,
        answer: '$right$',
      },
      order: [0, 1],
    },
  ]

  await db.update(tables.examAttempts).set({ paper }).where(eq(tables.examAttempts.id, attemptId))
  await recordAnswer(db, { uid, attemptId, question: 1, value: '$5 or $typed$' }, now)
  await recordAnswer(db, { uid, attemptId, question: 2, value: 1 }, now)
  const openAttempt = await findOpenAttempt(db, uid, attemptId, later(10))
  expect(openAttempt?.answers[0]?.value).toBe('$5 or $typed$')
  expect(Object.keys(renderExamFormulas(openAttempt, null))).toEqual(['What is $x$?', ...options])

  await submitAttempt(learningContext(db), { uid, attemptId }, later(attemptDurationSeconds))
  const overview = { openAttemptId: null, canSeeAnswers: true }
  const result = await findExamResult(db, { uid, courseId, attemptId }, overview, later(oneHour))
  expect(result?.questions?.map(({ solution }) => solution?.given)).toEqual([
    ['$5 or $typed$'],
    ['$wrong$'],
  ])
  expect(Object.keys(renderExamFormulas(null, result)).toSorted()).toEqual(
    ['What is $x$?', '$y$', 'So $z$.', ...options].toSorted(),
  )
})

const createQuestion = (section: string | null, verdict: 'right' | 'wrong' = 'right') => ({
  section,
  verdict,
})

/** Creates the questions of a section, of which the first ones were answered correctly. */
const createQuestions = (section: string, rightCount: number, total: number) =>
  Array.from({ length: total }, (_, index) =>
    createQuestion(section, index < rightCount ? 'right' : 'wrong'),
  )

it('each section with questions in the exam has its score, in the order of the course', () => {
  const questions = [createQuestion('B'), createQuestion('A', 'wrong'), createQuestion('A')]

  expect(computeSectionScores(questions, ['A', 'Never asked', 'B'], true)).toEqual([
    { title: 'A', right: 1, total: 2 },
    { title: 'B', right: 1, total: 1 },
  ])
})

it('there are no section scores if a question belongs to no section, or all belong to one', () => {
  expect(
    computeSectionScores(
      [createQuestion('A'), createQuestion('B'), createQuestion(null)],
      ['A', 'B'],
      true,
    ),
  ).toEqual([])
  expect(
    computeSectionScores([createQuestion('A'), createQuestion('A')], ['A', 'B'], true),
  ).toEqual([])
})

it('sections with fewer than three questions share a score until answers are shown', () => {
  const questions = [
    ...createQuestions('A', 1, 1),
    ...createQuestions('B', 3, 5),
    ...createQuestions('C', 0, 1),
    ...createQuestions('D', 2, 3),
  ]

  expect(computeSectionScores(questions, ['A', 'B', 'C', 'D'], false)).toEqual([
    { title: 'B', right: 3, total: 5 },
    { title: 'A, C, and D', right: 3, total: 5 },
  ])

  const questionsOfThree = [
    ...createQuestions('B', 3, 5),
    ...createQuestions('A', 1, 2),
    ...createQuestions('C', 0, 1),
  ]
  expect(computeSectionScores(questionsOfThree, ['A', 'B', 'C'], false)).toEqual([
    { title: 'B', right: 3, total: 5 },
    { title: 'A and C', right: 1, total: 3 },
  ])

  const questionsOfTwo = [...createQuestions('A', 1, 1), ...createQuestions('B', 3, 5)]
  expect(computeSectionScores(questionsOfTwo, ['A', 'B'], false)).toEqual([])
})
