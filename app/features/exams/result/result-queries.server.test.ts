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
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
/**
 * By the place of the question: an old id of a lesson, a film's second, and a lesson that is gone.
 */
const places = ['names-before#12', 'how-a-for-loop-walks', 'long-gone', 'names-and-values#7']
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

/** An attempt whose questions are explained in these places, over and over. */
async function started(at: Date, explainedIn = places): Promise<string> {
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

async function answerRight(attemptId: string, questions: readonly number[], at: Date) {
  const [attempt] = await db
    .select()
    .from(tables.examAttempts)
    .where(eq(tables.examAttempts.id, attemptId))
  for (const question of questions) {
    const drawn = attempt?.paper[question - 1]
    if (!drawn) {
      throw new Error('No such question.')
    }

    await recordAnswer(db, { uid, attemptId, question, value: getCorrectAnswer(drawn) }, at)
  }
}

async function resultOf(attemptId: string, at: Date) {
  const overview = await findExamOverview(db, uid, courseId, at)
  return overview && findExamResult(db, { uid, courseId, attemptId }, overview, at)
}

it('a mistake leads to the place in a lesson that explains it, once answers are shown', async () => {
  const failed = await started(now)
  await answerRight(failed, [1], now)
  await submitAttempt(learningContext(db), { uid, attemptId: failed }, later(90))
  const names = { title: expect.any(String), to: `/Learn/${courseId}/names-and-values` }
  const loop = { title: expect.any(String), to: `/Learn/${courseId}/how-a-for-loop-walks` }
  const links = async () =>
    (await resultOf(failed, later(3600)))?.questions?.map(({ explainedIn }) => explainedIn)
  expect(await links()).toBeUndefined()

  const passed = await started(later(3600))
  await answerRight(passed, [1, 2, 3, 4, 5, 6, 7, 8], later(3600))
  await submitAttempt(learningContext(db), { uid, attemptId: passed }, later(3700))
  const at = (second: number) => ({ ...names, to: `${names.to}?at=${second}` })
  expect(await links()).toEqual([null, loop, null, at(7), at(12), loop, null, at(7)])
})

it('a result tells how long it took and how each section went, but nothing while another attempt is under way', async () => {
  const attemptId = await started(now, ['names-and-values', 'how-a-for-loop-walks'])
  await answerRight(attemptId, [1, 3, 4], now)
  await submitAttempt(learningContext(db), { uid, attemptId }, later(90))
  const result = await resultOf(attemptId, later(3600))
  expect(result).toMatchObject({ secondsUsed: 90, secondsAllowed: 900 })
  expect(result?.sections.map(({ right, total }) => [right, total])).toEqual([
    [2, 4],
    [1, 4],
  ])

  await started(later(3600))
  expect(await resultOf(attemptId, later(3700))).toMatchObject({ sections: [], questions: null })
})

it('an attempt goes on at the question that was answered last', async () => {
  const attemptId = await started(now)
  const resumeAt = async () => (await findOpenAttempt(db, uid, attemptId, later(60)))?.resumeAt
  expect(await resumeAt()).toBe(1)

  await answerRight(attemptId, [5], later(10))
  await answerRight(attemptId, [2], later(20))
  expect(await resumeAt()).toBe(2)
})

it('formulas are drawn in what the content asks and answers, not in what a learner typed', async () => {
  const attemptId = await started(now)
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

  await submitAttempt(learningContext(db), { uid, attemptId }, later(90))
  const shown = { openAttemptId: null, canSeeAnswers: true }
  const result = await findExamResult(db, { uid, courseId, attemptId }, shown, later(3600))
  expect(result?.questions?.map(({ solution }) => solution?.given)).toEqual([
    ['$5 or $typed$'],
    ['$wrong$'],
  ])
  expect(Object.keys(renderExamFormulas(null, result)).toSorted()).toEqual(
    ['What is $x$?', '$y$', 'So $z$.', ...options].toSorted(),
  )
})

const asked = (section: string | null, verdict: 'right' | 'wrong' = 'right') => ({
  section,
  verdict,
})

const askedOf = (section: string, right: number, total: number) =>
  Array.from({ length: total }, (_, index) => asked(section, index < right ? 'right' : 'wrong'))

it('each section that was asked about has its score, in the order of the course', () => {
  const questions = [asked('B'), asked('A', 'wrong'), asked('A')]
  expect(computeSectionScores(questions, ['A', 'Never asked', 'B'], true)).toEqual([
    { title: 'A', right: 1, total: 2 },
    { title: 'B', right: 1, total: 1 },
  ])
})

it('there are none if a question belongs to no section, or all to one', () => {
  expect(computeSectionScores([asked('A'), asked('B'), asked(null)], ['A', 'B'], true)).toEqual([])
  expect(computeSectionScores([asked('A'), asked('A')], ['A', 'B'], true)).toEqual([])
})

it('no score is about fewer than three questions until answers are shown', () => {
  const questions = [
    ...askedOf('A', 1, 1),
    ...askedOf('B', 3, 5),
    ...askedOf('C', 0, 1),
    ...askedOf('D', 2, 3),
  ]

  expect(computeSectionScores(questions, ['A', 'B', 'C', 'D'], false)).toEqual([
    { title: 'B', right: 3, total: 5 },
    { title: 'A, C, and D', right: 3, total: 5 },
  ])

  const [b, small] = [askedOf('B', 3, 5), [...askedOf('A', 1, 2), ...askedOf('C', 0, 1)]]
  expect(computeSectionScores([...b, ...small], ['A', 'B', 'C'], false)).toEqual([
    { title: 'B', right: 3, total: 5 },
    { title: 'A and C', right: 1, total: 3 },
  ])
  expect(
    computeSectionScores([...askedOf('A', 1, 1), ...askedOf('B', 3, 5)], ['A', 'B'], false),
  ).toEqual([])
})
