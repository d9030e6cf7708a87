import { expect, type Page } from '@playwright/test'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { learningContext } from '~/features/certificates/finished-work.server'
import {
  type DrawnQuestion,
  drawQuestions,
  getCorrectAnswer,
} from '~/features/courses/questions/drawn-question.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import { recordAnswer } from '~/features/exams/attempt/answer-queries.server'
import { startAttempt, submitAttempt } from '~/features/exams/attempt/attempt-queries.server'
import {
  activities,
  courseLessons,
  examAttempts,
  exams,
  lessonProgress,
  users,
} from '~/server/database/schema'
import { waitForHydration } from './hydration'
import { withProductDatabase } from './product-database'
import { confirmEmail, signUpNewLearner } from './sign-in'

const courseId = 'python-from-zero'
export const examPath = `/Exam/${courseId}`
export const firstQuestionHeading = (page: Page) =>
  page.getByRole('heading', { name: /^Question 1 of/ })

/**
 * Signs up a new learner who has done every lesson of the course, and has confirmed the address.
 *
 * @returns the uid.
 */
export async function signUpWithFinishedCourse(page: Page): Promise<string> {
  const { email } = await signUpNewLearner(page)
  await confirmEmail(email)
  return recordFinishedCourse(email)
}

/** The learner of this address has done every lesson of the course. @returns the uid. */
export function recordFinishedCourse(email: string): Promise<string> {
  return withProductDatabase(async (db) => {
    const [learner] = await db.select({ uid: users.id }).from(users).where(eq(users.email, email))
    const uid = learner?.uid ?? ''
    await enrollLearner(db, uid, courseId)
    const lessons = await db
      .select()
      .from(courseLessons)
      .where(eq(courseLessons.courseId, courseId))
    const now = new Date()
    for (const { id, kind } of lessons) {
      if (kind !== 'announced') {
        await db.insert(lessonProgress).values({ uid, courseId, lessonId: id, earnedAt: now })
      }
    }

    await db.transaction((transaction) =>
      learningContext(db).followUp(transaction, { uid, courseId }, now),
    )
    // The learner has seen it celebrated.
    await db.update(activities).set({ uncelebrated: false }).where(eq(activities.uid, uid))

    return uid
  })
}

/** The learner has passed the exam. `passExam` does the same on the page. */
export function recordPassedExam(uid: string): Promise<void> {
  return withProductDatabase(async (db) => {
    const now = new Date()
    const started = await startAttempt(learningContext(db), { uid, courseId }, now)
    if (started.refusal !== null) {
      throw new Error(started.refusal)
    }

    const { attemptId } = started
    for (const [index, drawn] of (await readOpenAttemptQuestions(uid)).entries()) {
      await recordAnswer(
        db,
        { uid, attemptId, question: index + 1, value: getCorrectAnswer(drawn) },
        now,
      )
    }

    await submitAttempt(learningContext(db), { uid, attemptId }, now)
  })
}

/** The questions of the learner's open attempt, with the right answers. */
export function readOpenAttemptQuestions(uid: string): Promise<DrawnQuestion[]> {
  return withProductDatabase(async (db) => {
    const [attempt] = await db
      .select()
      .from(examAttempts)
      .where(and(eq(examAttempts.uid, uid), isNull(examAttempts.submittedAt)))
    return attempt?.paper ?? []
  })
}

/**
 * A new learner has done every lesson and is at the first question, which has this type.
 *
 * @returns the uid.
 */
export async function startExamAtQuestionType(
  page: Page,
  type: DrawnQuestion['question']['type'],
): Promise<string> {
  const uid = await signUpWithFinishedCourse(page)
  await withProductDatabase((db) =>
    startAttempt(learningContext(db), { uid, courseId }, new Date()),
  )
  await moveQuestionTypeFirst(uid, type)
  await page.goto(`${examPath}?question=1`)
  await waitForHydration(page)

  return uid
}

/**
 * Puts a question of this type first in the learner's open attempt, because the draw may not
 * include one.
 */
function moveQuestionTypeFirst(
  uid: string,
  type: DrawnQuestion['question']['type'],
): Promise<unknown> {
  return withProductDatabase(async (db) => {
    const open = and(eq(examAttempts.uid, uid), isNull(examAttempts.submittedAt))
    const [attempt] = await db.select().from(examAttempts).where(open)
    const [exam] = await db.select().from(exams).where(eq(exams.courseId, courseId))
    const [drawn] = drawQuestions(
      exam?.questions.filter((question) => question.type === type) ?? [],
      1,
      () => 0,
    )

    if (!attempt || !drawn) {
      throw new Error(`The exam has no question of the type ${type}.`)
    }

    const others = attempt.paper.filter(({ question }) => question.id !== drawn.question.id)
    const paper = [drawn, ...others]
      .slice(0, attempt.maxScore)
      .map(({ question, order }) => ({ question, order: [...order] }))

    return db.update(examAttempts).set({ paper }).where(open)
  })
}

/** Lets the open attempt end in so many seconds. */
export function setAttemptDeadline(uid: string, seconds: number): Promise<unknown> {
  return withProductDatabase((db) =>
    db
      .update(examAttempts)
      .set({ deadlineAt: new Date(Date.now() + seconds * 1000) })
      .where(and(eq(examAttempts.uid, uid), isNull(examAttempts.submittedAt))),
  )
}

/** Lets the learner start again at once. */
export function endExamPause(uid: string): Promise<unknown> {
  const hourAgo = new Date(Date.now() - 3_600_000)
  return withProductDatabase((db) =>
    db
      .update(examAttempts)
      .set({ submittedAt: hourAgo })
      .where(and(eq(examAttempts.uid, uid), isNotNull(examAttempts.submittedAt))),
  )
}

/**
 * Answers the question that is shown right, by its controls, with whatever `press` does to a
 * button.
 */
export async function answerDisplayedQuestion(page: Page, drawn: DrawnQuestion): Promise<void> {
  await expect(page.getByRole('group', { name: drawn.question.prompt, exact: true })).toBeVisible()
  const answer = getCorrectAnswer(drawn)
  if (typeof answer === 'string') {
    return page.getByRole('textbox', { name: 'Your answer' }).fill(answer)
  }

  if (typeof answer === 'number') {
    return page.getByRole('radio').nth(answer).check()
  }

  if (drawn.question.type === 'ordering') {
    return bringIntoOrder(page, drawn.question.items)
  }

  for (const place of answer ?? []) {
    await page.getByRole('checkbox').nth(place).check()
  }
}

/** Moves every item up to its place, first to last. */
async function bringIntoOrder(page: Page, items: readonly string[]): Promise<void> {
  for (const [index, item] of items.entries()) {
    const rows = page.getByRole('group').getByRole('listitem')
    const place = async () => (await rows.allInnerTexts()).findIndex((text) => text.includes(item))
    for (let at = await place(); at > index; at--) {
      await page.getByRole('button', { name: `Move item ${at + 1} up` }).click()
      await expect(rows.nth(at - 1)).toContainText(item)
    }
  }
}

/** Goes on to the next question, or from the last one to the review. */
export async function goToNextQuestion(page: Page): Promise<void> {
  await page
    .getByRole('group')
    .locator('xpath=ancestor::form')
    .getByRole('button', { name: /^(Next|Review)$/ })
    .click()
}

export async function startExam(page: Page): Promise<void> {
  await page.goto(examPath)
  await page.getByRole('button', { name: /^(Start the exam|Try again)$/ }).click()
  await expect(firstQuestionHeading(page)).toBeVisible()
}

/** On the review: hands in although questions are empty, which a dialog asks about. */
export async function submitUnanswered(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit anyway' }).click()
}

/** Answers everything right and hands in. */
export async function passExam(page: Page, uid: string): Promise<void> {
  await startExam(page)
  for (const drawn of await readOpenAttemptQuestions(uid)) {
    await answerDisplayedQuestion(page, drawn)
    await goToNextQuestion(page)
  }

  await expect(page.getByText('You’ve answered every question.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit exam' }).click()
  await expect(page.getByRole('heading', { name: 'You passed the exam' })).toBeVisible()
}
