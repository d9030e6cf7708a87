import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import {
  courseId,
  openLesson,
  signUpEnrolledLearner,
  waitUntilSaved,
} from '../support/lesson-journey'
import { findFreePort, startProduct } from '../support/product'
import { confirmEmail } from '../support/sign-in'

/** A product of its own: the mode is for everyone. */
const port = await findFreePort()
test.use({ baseURL: `http://localhost:${port}` })

/** In a page of its own, at a question with options. */
async function startExam(page: Page): Promise<Page> {
  const exam = await page.context().newPage()
  await exam.goto(`/Exam/${courseId}`)
  await exam.getByRole('button', { name: 'Start the exam' }).click()
  const at = (number: number) =>
    expect(exam.getByRole('heading', { name: new RegExp(`^Question ${number} of`) })).toBeVisible()
  await at(1)
  for (let number = 2; (await exam.getByRole('radio').count()) === 0; number++) {
    await exam.getByRole('button', { name: 'Next' }).last().click()
    await at(number)
  }

  return exam
}

test('in maintenance courses can be read, changes are refused with a sentence, a lesson keeps its work, and an exam its time', async ({
  page,
  guard,
}) => {
  test.setTimeout(120_000)
  guard.allowConsoleError(/status of 503/)
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-maintenance-'))
  const product = await startProduct({ folder, port })
  const maintenance = (...words: string[]) =>
    execFileSync(process.execPath, ['scripts/command.ts', 'maintenance', ...words], {
      env: { ...process.env, DATA_DIR: folder },
      encoding: 'utf8',
    })

  try {
    const { email } = await signUpEnrolledLearner(page)
    await confirmEmail(email, folder)
    await openLesson(page, `/Learn/${courseId}/check-values-and-names`)
    const exam = await startExam(page)
    expect(maintenance('on', '--message', 'We’re moving.')).toContain('Visitors see: We’re moving.')
    await expect
      .poll(async () => (await page.request.get('/readyz')).text())
      .toContain('Maintenance mode is on')
    await page.getByRole('button', { name: 'Mark as done' }).click()
    await expect(page.getByText('Offline: saved on this device')).toBeVisible()

    await exam.getByRole('radio').first().check()
    await expect(exam.getByText('We can’t reach Learnify.')).toBeVisible()

    const visitor = await page.context().newPage()
    const profile = await visitor.goto('/Profile')
    expect([profile?.status(), profile?.headers()['retry-after']]).toEqual([503, '60'])
    await expect(
      visitor.getByRole('heading', { level: 1, name: 'We’ll be right back' }),
    ).toBeVisible()
    await expect(visitor).toHaveTitle('We’ll be right back · Learnify')
    await expect(
      visitor.getByText('We’re moving. Please try again in a few minutes.'),
    ).toBeVisible()
    expect((await visitor.goto('/AllCourses'))?.status()).toBe(200)

    expect(maintenance('off')).toContain('Maintenance mode is off.')
    await waitUntilSaved(page)
    await expect(
      exam.getByText(/^Your exam was paused for \d+ s while Learnify was under maintenance/),
    ).toBeVisible()
    await hearsOfTheNewEnd(exam, maintenance)
    await page.reload()
    await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
  } finally {
    for (const open of page.context().pages()) {
      await open.close()
    }

    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

/**
 * Expects the notice about the exam's new end, with the first response after the maintenance at the
 * latest.
 */
async function hearsOfTheNewEnd(exam: Page, maintenance: (...words: string[]) => string) {
  const notice = exam.getByText(/^Your exam was paused for/)
  const before = await notice.textContent()
  maintenance('on')
  expect(maintenance('off')).toContain('Running again: 1 exam.')
  await expect
    .poll(async () => (await exam.request.get('/readyz')).text())
    .not.toContain('Maintenance')
  await exam.getByRole('radio').nth(1).check()
  await expect(notice).not.toHaveText(before ?? '')
}
