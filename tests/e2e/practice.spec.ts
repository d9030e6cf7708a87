import type { Page } from '@playwright/test'
import { and, eq } from 'drizzle-orm'
import { courseLessons, practiceCards, users } from '~/server/database/schema'
import { questionId } from '../../app/features/learning/progress/question-id.server'
import { expect, test } from '../support/browser'
import { goOffline } from '../support/offline'
import { withProductDatabase } from '../support/product-database'
import { enrollIn, signUpNewLearner } from '../support/sign-in'

const courseId = 'python-from-zero'

/** Signs up a learner who has answered this number of quiz questions wrong a while ago. */
async function signUpWithPractice(page: Page, questionCount: number): Promise<void> {
  const { email } = await signUpNewLearner(page)
  await enrollIn(page, courseId)
  await withProductDatabase(async (db) => {
    const [learner] = await db.select({ uid: users.id }).from(users).where(eq(users.email, email))
    const quizzes = await db
      .select()
      .from(courseLessons)
      .where(and(eq(courseLessons.courseId, courseId), eq(courseLessons.kind, 'quiz')))
    const questionsOfQuizzes = quizzes.flatMap(({ id, questions }) =>
      (questions ?? []).map(({ question }) => ({ lessonId: id, questionId: questionId(question) })),
    )
    const cards = questionsOfQuizzes.slice(0, questionCount).map((question) => ({
      uid: learner?.uid ?? '',
      courseId,
      ...question,
      stability: 0.2,
      difficulty: 6,
      seenAt: new Date('2026-01-05T12:00:00Z'),
      seenOn: '2026-01-05',
      dueOn: '2026-01-06',
    }))
    await db.insert(practiceCards).values(cards)
  })
}

const answerByGivingUp = (page: Page) => page.getByRole('button', { name: 'I don’t know' })
const solution = (page: Page) => page.getByRole('heading', { name: 'Not quite' })

test('a learner practices by keyboard: answers, reads why, goes on offline, and finishes the day once another page is online', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  await signUpWithPractice(page, 4)
  // The page is opened as from a bookmark, because the focus must follow the questions then, too.
  await page.goto('/Practice')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Practice')
  await expect(page.getByText('Question 1 of 4')).toBeVisible()

  await page.getByRole('button', { name: 'Check answer' }).press('Enter')
  await expect(page.getByText('Answer the question first.')).toBeVisible()

  await answerByGivingUp(page).press('Enter')
  await expect(solution(page)).toBeFocused()
  await expect(page.getByText('You’ll see it again tomorrow.')).toBeVisible()

  // The page loads its data again after it has sent answers that waited in the browser.
  await page.evaluate(() => Reflect.get(window, '__reactRouterDataRouter').revalidate())
  await expect(page.getByRole('progressbar', { name: 'Practiced today' })).toHaveAttribute(
    'aria-valuenow',
    '25',
  )
  await expect(solution(page)).toBeVisible()

  await page.getByRole('link', { name: 'Next question' }).press('Enter')
  await expect(page.locator('legend')).toBeFocused()

  await answerOffline(page, 2)
  await context.setOffline(false)
  await expect(solution(page)).toBeVisible()

  await page.getByRole('link', { name: 'Next question' }).click()
  await answerOffline(page, 3)
  await page.goto('about:blank')
  await context.setOffline(false)

  await page.goto('/Profile')
  await expect(page.getByRole('heading', { name: '1 question to practice today' })).toBeVisible()

  await page.getByRole('link', { name: 'Keep practicing' }).press('Enter')
  await page.getByRole('radio').or(page.getByRole('checkbox')).first().press('Space')
  await page.getByRole('button', { name: 'Check answer' }).press('Enter')
  await expect(page.locator('#verdict')).toBeFocused()

  await page.getByRole('link', { name: 'Finish' }).press('Enter')
  await expect(page.getByText('That’s it for today')).toBeVisible()
})

async function answerOffline(page: Page, number: number): Promise<void> {
  await expect(page.getByText(`Question ${number} of 4`)).toBeVisible()
  await goOffline(page)
  await answerByGivingUp(page).click()
  await expect(page.getByText('Your answer is saved on this device')).toBeVisible()
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('an answer is checked, and the next question follows', async ({ page }) => {
    await signUpWithPractice(page, 2)
    await page.goto('/Practice')
    const question = String(await page.locator('legend').textContent())

    await answerByGivingUp(page).click()
    await expect(solution(page)).toBeVisible()
    await expect(page.getByText(question)).toBeVisible()

    await page.getByRole('link', { name: 'Next question' }).click()
    await expect(page.getByText('Question 2 of 2')).toBeVisible()
  })
})
