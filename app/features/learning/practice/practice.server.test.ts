import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import { getCorrectAnswer } from '~/features/courses/questions/drawn-question.server'
import { recordAnswer } from '~/features/exams/attempt/answer-queries.server'
import { startAttempt, submitAttempt } from '~/features/exams/attempt/attempt-queries.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { emptyProgress } from '../progress/lesson-progress'
import { examQuestionId, questionId } from '../progress/question-id.server'
import { recordLessonProgress } from '../progress/record-progress.server'
import { dailyQuestionLimit } from './practice-data'
import { drawQuestionForTurn, findPractice, hasPracticeCards } from './practice-queries.server'
import { readPracticeForm, recordPracticeAnswer } from './record-practice-answer.server'

const courseId = 'python-from-zero'
const lessonId = 'check-values-and-names'
const uid = 'ada'
const timeZone = 'America/New_York'
const monday = '2026-11-23'
const tuesday = '2026-11-24'
const wednesday = '2026-11-25'
const thursday = '2026-11-26'
/** Returns noon in the learner's time zone. */
const noonOn = (day = monday) => new Date(`${day}T17:00:00Z`)
let db: Database
let questions: { id: string; question: string; options: { correct: boolean; text: string }[] }[]

beforeAll(async () => {
  db = (await createTestDatabase()).db
  const [quiz] = await db
    .select()
    .from(tables.courseLessons)
    .where(eq(tables.courseLessons.id, lessonId))
  questions = (quiz?.questions ?? []).map((question) => ({
    ...question,
    id: questionId(question.question),
  }))
})

beforeEach(async () => {
  await db.delete(tables.users)
  await db.insert(tables.users).values({
    id: uid,
    name: 'Ada',
    firstName: 'Ada',
    email: 'ada@test.example',
    emailVerified: true,
    timezone: timeZone,
  })

  await db.insert(tables.enrollments).values({ uid, courseId })
})

/** Reports a visit in which these questions were answered wrongly. */
const miss = (questionIds: readonly string[], openedAt = noonOn()) =>
  recordLessonProgress(learningContext(db), {
    learnerLesson: { uid, courseId, lessonId },
    report: {
      progress: { ...emptyProgress, answered: [...questionIds] },
      studyIntervals: [],
      missedQuestions: { ids: questionIds, lessonOpenedAt: openedAt },
      receivedAt: openedAt,
    },
    sessionToken: null,
  })

const readPractice = (day: string) => findPractice(db, uid, day)

/** Returns the next turn, which identifies a question and how often it was asked. */
async function getNextTurn(day: string) {
  const { next } = await readPractice(day)
  if (!next) {
    throw new Error('There is no question to practice.')
  }

  return next.turn
}

type Turn = Awaited<ReturnType<typeof getNextTurn>>

/**
 * Answers a question correctly, or gives it up. Without a turn, it is the next question of the day.
 */
async function answer(day: string, how: 'right' | 'wrong', turn?: Turn) {
  const answeredTurn = turn ?? (await getNextTurn(day))
  const question = questions.find(({ id }) => id === answeredTurn.questionId)
  const drawn = question && drawQuestionForTurn({ explanation: '', ...question }, answeredTurn)
  const isGivenUp = how === 'wrong'
  const value = isGivenUp || !drawn ? null : getCorrectAnswer(drawn)

  return recordPracticeAnswer(
    learningContext(db),
    { uid, turn: answeredTurn, value, isGivenUp, timeZone },
    noonOn(day),
  )
}

const listCards = () =>
  db.select().from(tables.practiceCards).orderBy(tables.practiceCards.questionId)

it('a learner has practice from the first wrong answer on', async () => {
  expect(await hasPracticeCards(db, uid)).toBe(false)

  await miss([questions[0]?.id ?? ''])
  expect(await hasPracticeCards(db, uid)).toBe(true)
})

describe('a question that was answered wrongly in a quiz', () => {
  it('returns the next day, and later each time it is answered correctly', async () => {
    const [first] = questions
    await miss([first?.id ?? ''])
    expect(await readPractice(monday)).toEqual({
      today: { remainingCount: 0, practicedCount: 0, correctCount: 0, nextDueDay: tuesday },
      next: null,
    })

    const { today, next } = await readPractice(tuesday)
    expect([today.remainingCount, next?.question.prompt, next?.turn.turn]).toEqual([
      1,
      first?.question,
      0,
    ])
    expect((await answer(tuesday, 'right')).feedback).toMatchObject({
      isCorrect: true,
      explanationUrl: `/Learn/${courseId}/${lessonId}`,
    })
    expect((await readPractice(tuesday)).today).toEqual({
      remainingCount: 0,
      practicedCount: 1,
      correctCount: 1,
      nextDueDay: thursday,
    })

    await answer(thursday, 'right')
    expect((await readPractice(thursday)).today.nextDueDay).toBe('2026-12-02')
  })

  it('returns the next day after another wrong answer', async () => {
    await miss([questions[0]?.id ?? ''])

    expect((await answer(tuesday, 'wrong')).feedback).toMatchObject({ isCorrect: false })
    expect((await readPractice(tuesday)).today).toEqual({
      remainingCount: 0,
      practicedCount: 1,
      correctCount: 0,
      nextDueDay: wednesday,
    })
  })

  it('is stored once, however often its report arrives, and a late report doesn’t undo practice', async () => {
    const ids = questions.slice(0, 2).map(({ id }) => id)
    await miss(ids)
    await miss(ids)
    await answer(tuesday, 'right')
    const cardsBefore = await listCards()
    await miss(ids)

    expect(await listCards()).toEqual(cardsBefore)
    expect(cardsBefore.length).toBe(2)
  })

  it('starts again when it is answered wrongly in a later visit', async () => {
    await miss([questions[0]?.id ?? ''])
    await answer(tuesday, 'right')
    await miss([questions[0]?.id ?? ''], noonOn(wednesday))

    expect(await listCards()).toMatchObject([{ turn: 2, dueOn: thursday, right: null }])
  })

  it('is not asked while its lesson, its course or the enrollment is missing, and returns with it', async () => {
    await miss([questions[0]?.id ?? ''])
    const countRemaining = async () => (await readPractice(tuesday)).today.remainingCount
    const removals = [
      [
        sql`update course_lessons set retired = true where id = ${lessonId}`,
        sql`update course_lessons set retired = false where id = ${lessonId}`,
      ],
      [
        sql`update courses set published = false where id = ${courseId}`,
        sql`update courses set published = true where id = ${courseId}`,
      ],
      [
        sql`delete from enrollments`,
        sql`insert into enrollments (uid, course_id) values (${uid}, ${courseId})`,
      ],
    ] as const

    for (const [remove, restore] of removals) {
      await db.execute(remove)
      expect(await readPractice(tuesday)).toEqual({
        today: { remainingCount: 0, practicedCount: 0, correctCount: 0, nextDueDay: null },
        next: null,
      })
      await db.execute(restore)
      expect(await countRemaining()).toBe(1)
    }

    await db.execute(sql`update practice_cards set question_id = '0123456789ab'`)

    expect(await countRemaining()).toBe(0)
  })

  it('is not stored if the quiz doesn’t have it', async () => {
    await miss(['0123456789ab'])
    expect(await listCards()).toEqual([])
  })
})

describe('a practice answer', () => {
  it('counts once if it is sent twice, at the same time or later', async () => {
    await miss([questions[0]?.id ?? ''])
    const turn = await getNextTurn(tuesday)
    const responses = await Promise.all([
      answer(tuesday, 'right', turn),
      answer(tuesday, 'right', turn),
    ])
    expect(responses.map(({ feedback }) => feedback?.isCorrect)).toEqual([true, true])

    const cardsBefore = await listCards()
    const { feedback } = await answer(wednesday, 'wrong', turn)
    expect(feedback).toMatchObject({ isCorrect: false })
    expect(await listCards()).toEqual(cardsBefore)
    expect(cardsBefore).toMatchObject([{ turn: 1, right: true }])
  })

  it('is rejected if it is empty, invalid, or to a missing question, and changes nothing', async () => {
    await miss([questions[0]?.id ?? ''])
    const turn = await getNextTurn(tuesday)
    const cardsBefore = await listCards()
    const giveAnswer = (value: unknown) =>
      recordPracticeAnswer(
        learningContext(db),
        { uid, turn, value, isGivenUp: false, timeZone },
        noonOn(tuesday),
      )
    const giveUp = (changes: Partial<Turn>) =>
      recordPracticeAnswer(
        learningContext(db),
        { uid, turn: { ...turn, ...changes }, value: null, isGivenUp: true, timeZone },
        noonOn(tuesday),
      )

    expect(await giveAnswer(null)).toEqual({ feedback: null, problem: 'unanswered' })
    expect(await giveAnswer(77)).toEqual({ feedback: null, problem: 'unreadable' })
    expect(await giveUp({ turn: 5 })).toEqual({ feedback: null, problem: 'unreadable' })
    expect(await giveUp({ questionId: '0123456789ab' })).toEqual({
      feedback: null,
      problem: 'gone',
    })
    expect(await listCards()).toEqual(cardsBefore)
  })

  it('makes its day a study day and counts the time between answers', async () => {
    await miss(questions.slice(0, 2).map(({ id }) => id))
    const giveUpAt = async (secondsAfterNoon: number) => {
      const turn = await getNextTurn(tuesday)
      await recordPracticeAnswer(
        learningContext(db),
        { uid, turn, value: null, isGivenUp: true, timeZone },
        new Date(noonOn(tuesday).getTime() + secondsAfterNoon * 1000),
      )
    }

    await giveUpAt(0)
    await giveUpAt(40)
    const { rows: days } = await db.execute(
      sql`select day::text, (select sum(extract(epoch from upper(p) - lower(p)))::int from unnest(studied) p) as seconds from study_days`,
    )

    expect([...days]).toEqual([{ day: tuesday, seconds: 41 }])
  })
})

it('practice asks ten questions a day, however many are due', async () => {
  const dueQuestions = Array.from({ length: 14 }, (_, index) => ({
    ...questions[0],
    question: `Number ${index}?`,
    explanation: 'So.',
  }))

  await db.execute(
    sql`update course_lessons set questions = ${JSON.stringify(dueQuestions)}::text::jsonb where id = ${lessonId}`,
  )
  await miss(dueQuestions.map(({ question }) => questionId(question)))
  expect((await readPractice(tuesday)).today).toMatchObject({
    remainingCount: dailyQuestionLimit,
    nextDueDay: wednesday,
  })

  for (let turn = 0; turn < dailyQuestionLimit; turn++) {
    await answer(tuesday, 'wrong')
  }

  expect(await readPractice(tuesday)).toMatchObject({
    today: { remainingCount: 0, practicedCount: dailyQuestionLimit, nextDueDay: wednesday },
    next: null,
  })
  expect((await readPractice(wednesday)).today.remainingCount).toBe(dailyQuestionLimit)
})

describe('a question of an exam', () => {
  /** Takes an exam with a number of wrong answers, and returns the ids of these questions. */
  async function takeExam(at: Date, wrongCount: number) {
    const start = await startAttempt(learningContext(db), { uid, courseId }, at)
    if (start.refusal) {
      throw new Error(start.refusal)
    }

    const { attemptId } = start
    const [attempt] = await db
      .select()
      .from(tables.examAttempts)
      .where(eq(tables.examAttempts.id, attemptId))
    const paper = attempt?.paper ?? []
    for (const [index, drawn] of paper.entries()) {
      if (index < wrongCount) {
        continue
      }

      const value = getCorrectAnswer(drawn)
      await recordAnswer(db, { uid, attemptId, question: index + 1, value }, at)
    }

    const ids = paper.slice(0, wrongCount).map(({ question }) => examQuestionId(question.id))

    return {
      ids,
      submit: () => submitAttempt(learningContext(db), { uid, attemptId }, at),
    }
  }

  it('returns only after the exam is passed, also from failed attempts', async () => {
    const failed = await takeExam(noonOn(monday), 8)
    await failed.submit()
    expect(await listCards()).toEqual([])

    const passed = await takeExam(noonOn(tuesday), 2)
    await passed.submit()
    expect((await listCards()).map((card) => card.questionId)).toEqual(
      [...new Set([...failed.ids, ...passed.ids])].toSorted(),
    )
    expect((await readPractice(wednesday)).next?.question.prompt).toBeTruthy()
  })

  it('is not asked during another attempt', async () => {
    await (await takeExam(noonOn(monday), 2)).submit()
    expect((await readPractice(tuesday)).today.remainingCount).toBe(2)

    const second = await takeExam(noonOn(tuesday), 0)
    expect(await readPractice(tuesday)).toMatchObject({
      today: { remainingCount: 0 },
      next: null,
    })

    await second.submit()
    expect((await readPractice(tuesday)).today.remainingCount).toBe(2)
  })

  it('may have the answer “give-up”, which is not the same as giving up', async () => {
    const textQuestion = {
      id: 'surrender',
      type: 'text',
      prompt: 'Which command ends the game?',
      explanation: 'It does.',
      accepted: ['give-up'],
    }
    await db.execute(
      sql`update exams set questions = ${JSON.stringify([textQuestion])}::text::jsonb
        where course_id = ${courseId}`,
    )
    await db.insert(tables.practiceCards).values({
      uid,
      courseId,
      questionId: examQuestionId(textQuestion.id),
      stability: 1,
      difficulty: 5,
      seenAt: noonOn(monday),
      seenOn: monday,
      dueOn: tuesday,
    })

    const { turn, question } = (await readPractice(tuesday)).next ?? {}
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...turn, type: question?.type })) {
      form.set(name, String(value))
    }

    form.set('answer', 'give-up')
    const submission = readPracticeForm(form)
    if (!submission) {
      throw new Error('The form of the answer is invalid.')
    }

    const { feedback } = await recordPracticeAnswer(
      learningContext(db),
      { uid, timeZone, ...submission },
      noonOn(tuesday),
    )
    expect(feedback).toMatchObject({ answer: 'give-up', isCorrect: true })
  })
})
