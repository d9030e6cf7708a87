import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import {
  answerDisplayedQuestion,
  answerExamCorrectly,
  examPath,
  firstQuestionHeading,
  goToNextQuestion,
  moveQuestionTypeFirst,
  readOpenAttemptQuestions,
  signUpWithFinishedCourse,
  startExam,
} from '../support/exam-journey'

type Paper = Awaited<ReturnType<typeof readOpenAttemptQuestions>>

test('an exam is alone on the screen and works with the keyboard alone, and the browser receives no correct answer before it is submitted', async ({
  page,
}) => {
  const responseTexts: Promise<string>[] = []
  page.on('response', (response) => {
    responseTexts.push(response.text().catch(() => ''))
  })
  const uid = await signUpWithFinishedCourse(page)

  await page.goto(examPath)
  await page.getByRole('button', { name: 'Start the exam' }).press('Enter')
  await expect(firstQuestionHeading(page)).toBeFocused()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)

  const paper = await readOpenAttemptQuestions(uid)
  for (const drawnQuestion of paper.slice(0, 2)) {
    await answerWithKeys(page, drawnQuestion)
  }
  await leaveAndComeBack(page)
  for (const drawnQuestion of paper.slice(2)) {
    await answerWithKeys(page, drawnQuestion)
  }
  await expect(page.getByRole('heading', { name: 'Review your answers' })).toBeFocused()

  // A browser forgets the bodies of pages that it has left, but not of these two.
  for (const url of [examPath, `${examPath}.data`]) {
    responseTexts.push(page.request.get(url).then((response) => response.text()))
  }
  expectNoCorrectAnswer((await Promise.all(responseTexts)).join('\n'), paper)

  await page.getByRole('button', { name: 'Submit exam' }).press('Enter')
  await expect(
    page.getByRole('heading', { name: /^(Not passed|You passed the exam)$/ }),
  ).toBeVisible()
})

/** Leaves the exam, which asks for confirmation, and comes back to the same question. */
async function leaveAndComeBack(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Question 3 of 8' })).toBeVisible()
  await page.getByRole('button', { name: 'Leave' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Leave the exam?' })).toBeFocused()
  await expect(page.getByText('The clock keeps running.')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Leave exam' }).press('Enter')
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goto(examPath)
  await expect(page.getByRole('heading', { name: 'Question 3 of 8' })).toBeVisible()
}

/** Gives any answer to the displayed question with keys, and goes to the next one. */
async function answerWithKeys(page: Page, { question }: Paper[number]): Promise<void> {
  await expect(page.getByRole('group', { name: question.prompt, exact: true })).toBeVisible()

  switch (question.type) {
    case 'single':
      await page.getByRole('radio').first().press('Space')
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('radio').nth(1)).toBeChecked()
      break
    case 'multiple':
      await page.getByRole('checkbox').first().press('Space')
      break
    case 'ordering':
      await page.getByRole('button', { name: 'Move item 1 down' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Move item 2 down' })).toBeFocused()
      break
    default:
      await page.getByRole('textbox', { name: 'Your answer' }).fill('1')
      await page.keyboard.press('Enter')
      return
  }

  await page
    .getByRole('group')
    .locator('xpath=ancestor::form')
    .getByRole('button', { name: /^(Next|Review)$/ })
    .press('Enter')
}

function expectNoCorrectAnswer(received: string, paper: Paper): void {
  const visibleTexts = JSON.stringify(
    paper.map(({ question }) => [question.prompt, 'options' in question && question.options]),
  )
  const secrets = paper.flatMap(({ question }) => [
    question.explanation,
    // Authors name questions after what they ask for.
    ...(question.id.includes('-') ? [question.id] : []),
    // Short words like 'len' are in every script.
    ...(question.type === 'text'
      ? question.accepted.filter((text) => text.length > 7 && !visibleTexts.includes(text))
      : []),
  ])

  for (const { question } of paper) {
    expect(received).toContain(JSON.stringify(question.prompt).slice(1, 30))
  }

  for (const secret of secrets) {
    expect(received).not.toContain(JSON.stringify(secret).slice(1, -1))
  }

  expect(received).not.toMatch(/\\?"(accepted|tolerance|explanation)\\?"/)
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('an exam can be taken and passed', async ({ page }) => {
    const uid = await signUpWithFinishedCourse(page)
    await startExam(page)
    await moveQuestionTypeFirst(uid, 'ordering')
    await answerExamCorrectly(uid, 3)
    const [orderingQuestion, secondQuestion] = await readOpenAttemptQuestions(uid)
    if (!orderingQuestion || !secondQuestion) {
      throw new Error('The exam has too few questions.')
    }

    await page.goto(`${examPath}?question=1`)
    await answerDisplayedQuestion(page, orderingQuestion)
    await goToNextQuestion(page)
    await answerDisplayedQuestion(page, secondQuestion)
    await goToNextQuestion(page)
    await expect(page.getByRole('heading', { name: 'Question 3 of 8' })).toBeVisible()

    await page.goto(`${examPath}?question=review`)
    await expect(page.getByText('You’ve answered every question.')).toBeVisible()

    await page.getByRole('button', { name: 'Submit exam' }).click()
    await expect(page.getByRole('heading', { name: 'You passed the exam' })).toBeVisible()
  })
})
