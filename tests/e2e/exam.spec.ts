import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import {
  examPath,
  firstQuestionHeading,
  goToNextQuestion,
  passExam,
  readOpenAttemptQuestions,
  signUpWithFinishedCourse,
  startExam,
} from '../support/exam-journey'
import { waitForHydration } from '../support/hydration'

test('the exam is alone on the screen, asks before it is left, and goes on at the question one was at', async ({
  page,
}) => {
  await signUpWithFinishedCourse(page)
  await startExam(page)
  await waitForHydration(page)
  for (const hidden of ['banner', 'contentinfo'] as const) {
    await expect(page.getByRole(hidden)).toHaveCount(0)
  }

  await goToNextQuestion(page)
  await goToNextQuestion(page)
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Leave the exam?' })).toBeFocused()
  await expect(page.getByText('The clock keeps running.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Leave exam' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goto(examPath)
  await expect(page.getByRole('heading', { name: 'Question 3 of 8' })).toBeVisible()
})

test('works with the keyboard alone', async ({ page }) => {
  test.slow()
  const uid = await signUpWithFinishedCourse(page)
  await page.goto(examPath)
  await page.getByRole('button', { name: 'Start the exam' }).press('Enter')
  await expect(firstQuestionHeading(page)).toBeVisible()
  for (const { question } of await readOpenAttemptQuestions(uid)) {
    await expect(page.getByRole('group', { name: question.prompt, exact: true })).toBeVisible()
    if (question.type === 'single') {
      await page.getByRole('radio').first().press('Space')
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('radio').nth(1)).toBeChecked()
    } else if (question.type === 'multiple') {
      await page.getByRole('checkbox').first().press('Space')
    } else if (question.type === 'ordering') {
      await page.getByRole('button', { name: 'Move item 1 down' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Move item 2 down' })).toBeFocused()
    } else {
      await page.getByRole('textbox', { name: 'Your answer' }).fill('1')
    }

    if (question.type === 'text' || question.type === 'numeric') {
      await page.keyboard.press('Enter')
    } else {
      await page
        .getByRole('group')
        .locator('xpath=ancestor::form')
        .getByRole('button', { name: /^(Next|Review)$/ })
        .press('Enter')
    }
  }

  await expect(page.getByRole('heading', { name: 'Review your answers' })).toBeFocused()
  await page.getByRole('button', { name: 'Submit exam' }).press('Enter')
  await expect(
    page.getByRole('heading', { name: /^(Not passed|You passed the exam)$/ }),
  ).toBeVisible()
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('an exam can be taken and passed', async ({ page }) => {
    test.slow()
    await passExam(page, await signUpWithFinishedCourse(page))
  })
})

test('nothing that tells a right answer reaches the browser before the exam is handed in', async ({
  page,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  const sent: Promise<string>[] = []
  page.on('response', (response) => {
    sent.push(response.text().catch(() => ''))
  })
  await startExam(page)
  const paper = await readOpenAttemptQuestions(uid)
  for (const _drawn of paper) {
    await goToNextQuestion(page)
  }

  await page.reload()
  await expect(page.getByText('unanswered questions will count as incorrect')).toBeVisible()
  await waitForHydration(page)
  // A browser forgets the bodies of pages that it has left; these two are there in any case.
  for (const address of [examPath, `${examPath}.data`]) {
    sent.push(page.request.get(address).then((response) => response.text()))
  }

  const everything = (await Promise.all(sent)).join('\n')
  const shown = paper
    .map(({ question }) =>
      JSON.stringify([question.prompt, 'options' in question && question.options]),
    )
    .join()
  const secrets = paper.flatMap(({ question }) => [
    question.explanation,
    // Authors name questions after what they ask for.
    ...(question.id.includes('-') ? [question.id] : []),
    // Short words like 'len' stand in every script.
    ...(question.type === 'text'
      ? question.accepted.filter((text) => text.length > 7 && !shown.includes(text))
      : []),
  ])

  expect(
    paper.every(({ question }) =>
      everything.includes(JSON.stringify(question.prompt).slice(1, 30)),
    ),
  ).toBe(true)

  expect(
    secrets.filter((secret) => everything.includes(JSON.stringify(secret).slice(1, -1))),
  ).toEqual([])
  expect(everything).not.toMatch(/\\?"(accepted|tolerance|explanation)\\?"/)
})
