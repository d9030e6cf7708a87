import { expect, type Page } from '@playwright/test'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { learningContext } from '~/features/certificates/rewards.server'
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

type QuestionType = DrawnQuestion['question']['type']

/**
 * Signs up a new learner with a confirmed email address who has done every lesson of the course.
 *
 * @returns the uid
 */
export async function signUpWithFinishedCourse(page: Page): Promise<string> {
  const { email } = await signUpNewLearner(page)
  await confirmEmail(email)
  return recordFinishedCourse(email)
}

/**
 * Records that the learner with this email address has done every lesson of the course.
 *
 * @returns the uid
 */
export function recordFinishedCourse(email: string): Promise<string> {
  return withProductDatabase(async (db) => {
    const [learner] = await db.select({ uid: users.id }).from(users).where(eq(users.email, email))
    if (!learner) {
      throw new Error(`Nobody has the email address ${email}.`)
    }

    const { uid } = learner
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
      learningContext(db).grantDueRewards(transaction, { uid, courseId }, now),
    )

    // No celebration covers the pages of the test.
    await db.update(activities).set({ uncelebrated: false }).where(eq(activities.uid, uid))

    return uid
  })
}

/**
 * Answers the questions of an exam correctly in the database. It starts the exam if none is open.
 *
 * @param firstQuestion the number of the first question that is answered
 */
export function answerExamCorrectly(uid: string, firstQuestion = 1): Promise<void> {
  return withProductDatabase(async (db) => {
    const now = new Date()
    const attempt = await startAttempt(learningContext(db), { uid, courseId }, now)
    if (attempt.refusal !== null) {
      throw new Error(attempt.refusal)
    }

    const { attemptId } = attempt
    const questions = await readOpenAttemptQuestions(uid)
    for (const [index, drawnQuestion] of questions.entries()) {
      const question = index + 1
      if (question >= firstQuestion) {
        const answer = { uid, attemptId, question, value: getCorrectAnswer(drawnQuestion) }
        await recordAnswer(db, answer, now)
      }
    }
  })
}

/** Submits the open attempt of the learner in the database. */
export function submitOpenAttempt(uid: string): Promise<unknown> {
  return withProductDatabase(async (db) => {
    const [attempt] = await db
      .select({ attemptId: examAttempts.id })
      .from(examAttempts)
      .where(and(eq(examAttempts.uid, uid), isNull(examAttempts.submittedAt)))
    if (!attempt) {
      throw new Error('The learner has no open attempt.')
    }

    return submitAttempt(learningContext(db), { uid, ...attempt }, new Date())
  })
}

/** Returns the questions of the learner's open attempt, with the correct answers. */
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
 * Signs up a new learner, starts an exam whose first question has this type, and opens that
 * question.
 *
 * @returns the uid
 */
export async function startExamAtQuestionType(page: Page, type: QuestionType): Promise<string> {
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
 * Puts a question of this type first in the open attempt, which may have drawn none of this type.
 */
export function moveQuestionTypeFirst(uid: string, type: QuestionType): Promise<unknown> {
  return withProductDatabase(async (db) => {
    const isOpenAttempt = and(eq(examAttempts.uid, uid), isNull(examAttempts.submittedAt))
    const [attempt] = await db.select().from(examAttempts).where(isOpenAttempt)
    const [exam] = await db.select().from(exams).where(eq(exams.courseId, courseId))
    const questionsOfType = exam?.questions.filter((question) => question.type === type) ?? []
    const [firstQuestion] = drawQuestions(questionsOfType, 1, () => 0)
    if (!attempt || !firstQuestion) {
      throw new Error(`The exam has no question of the type ${type}.`)
    }

    const otherQuestions = attempt.paper.filter(
      ({ question }) => question.id !== firstQuestion.question.id,
    )
    const paper = [firstQuestion, ...otherQuestions]
      .slice(0, attempt.maxScore)
      .map(({ question, order }) => ({ question, order: [...order] }))

    return db.update(examAttempts).set({ paper }).where(isOpenAttempt)
  })
}

/** Moves the deadline of the open attempt to this number of seconds from now. */
export function setAttemptDeadline(uid: string, seconds: number): Promise<unknown> {
  return withProductDatabase((db) =>
    db
      .update(examAttempts)
      .set({ deadlineAt: new Date(Date.now() + seconds * 1000) })
      .where(and(eq(examAttempts.uid, uid), isNull(examAttempts.submittedAt))),
  )
}

/** Dates the submitted attempts back, so that the learner may start the next attempt at once. */
export function endExamPause(uid: string): Promise<unknown> {
  const oneHourAgo = new Date(Date.now() - 3_600_000)
  return withProductDatabase((db) =>
    db
      .update(examAttempts)
      .set({ submittedAt: oneHourAgo })
      .where(and(eq(examAttempts.uid, uid), isNotNull(examAttempts.submittedAt))),
  )
}

/** Gives the correct answer to the displayed question, with the question's form controls. */
export async function answerDisplayedQuestion(
  page: Page,
  drawnQuestion: DrawnQuestion,
): Promise<void> {
  const { question } = drawnQuestion
  await expect(page.getByRole('group', { name: question.prompt, exact: true })).toBeVisible()

  const answer = getCorrectAnswer(drawnQuestion)
  if (typeof answer === 'string') {
    return page.getByRole('textbox', { name: 'Your answer' }).fill(answer)
  }

  if (typeof answer === 'number') {
    return page.getByRole('radio').nth(answer).check()
  }

  if (question.type === 'ordering') {
    return sortItems(page, question.items)
  }

  for (const choiceIndex of answer ?? []) {
    await page.getByRole('checkbox').nth(choiceIndex).check()
  }
}

/** Moves every item up to its position, from the first to the last. */
async function sortItems(page: Page, items: readonly string[]): Promise<void> {
  const listItems = page.getByRole('group').getByRole('listitem')

  for (const [targetIndex, item] of items.entries()) {
    const texts = await listItems.allInnerTexts()
    const startIndex = texts.findIndex((text) => text.includes(item))
    for (let index = startIndex; index > targetIndex; index--) {
      await page.getByRole('button', { name: `Move item ${index + 1} up` }).click()
      await expect(listItems.nth(index - 1)).toContainText(item)
    }
  }
}

/** Goes to the next question or, from the last question, to the review. */
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

/** Submits the exam on the review page and confirms the dialog about unanswered questions. */
export async function submitUnanswered(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit exam' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit anyway' }).click()
}

/** Takes the exam on the page and answers every question correctly. */
export async function passExam(page: Page, uid: string): Promise<void> {
  await startExam(page)

  for (const drawnQuestion of await readOpenAttemptQuestions(uid)) {
    await answerDisplayedQuestion(page, drawnQuestion)
    await goToNextQuestion(page)
  }

  await expect(page.getByText('You’ve answered every question.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit exam' }).click()
  await expect(page.getByRole('heading', { name: 'You passed the exam' })).toBeVisible()
}
