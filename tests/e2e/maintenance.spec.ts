import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import {
  courseId,
  openLesson,
  signUpEnrolledLearner,
  waitUntilSaved,
} from '../support/lesson-journey'
import { findFreePort, type Product, startProduct } from '../support/product'
import { confirmEmail } from '../support/sign-in'

/** A product of its own, because the maintenance mode applies to everyone. */
const port = await findFreePort()
test.use({ baseURL: `http://localhost:${port}` })

let product: Product
test.beforeAll(async () => {
  test.setTimeout(300_000)
  product = await startProduct({ port })
})
test.afterAll(() => product.stop())

/**
 * The choices of the displayed question. The exam draws eight of fourteen questions, of which seven
 * have no choices, so that each exam has a question with choices.
 */
const choices = (exam: Page) =>
  exam.getByRole('group').getByRole('radio').or(exam.getByRole('group').getByRole('checkbox'))

/** Starts the exam in a page of its own, and opens a question with choices. */
async function startExam(page: Page): Promise<Page> {
  const exam = await page.context().newPage()
  const expectQuestion = (number: number) =>
    expect(exam.getByRole('heading', { name: new RegExp(`^Question ${number} of`) })).toBeVisible()
  await exam.goto(`/Exam/${courseId}`)
  await exam.getByRole('button', { name: 'Start the exam' }).click()
  await expectQuestion(1)
  for (let number = 2; (await choices(exam).count()) === 0; number++) {
    await exam.getByRole('button', { name: 'Next' }).last().click()
    await expectQuestion(number)
  }

  return exam
}

test('in maintenance courses can be read, changes are refused with a sentence, a lesson keeps its work, and an exam its time', async ({
  page,
  guard,
}) => {
  test.slow()
  guard.allowConsoleError(/status of 503/)
  const { folder } = product
  const readReadiness = async () => (await page.request.get('/readyz')).text()

  const { email } = await signUpEnrolledLearner(page)
  await confirmEmail(email, folder)
  await openLesson(page, `/Learn/${courseId}/check-values-and-names`)
  const exam = await startExam(page)
  expect(await switchMaintenance(folder, 'on', '--message', 'We’re moving.')).toContain(
    'Visitors see: We’re moving.',
  )
  await expect.poll(readReadiness).toContain('Maintenance mode is on')

  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('Offline: saved on this device')).toBeVisible()

  await choices(exam).first().check()
  await expect(exam.getByText('We can’t reach Learnify.')).toBeVisible()
  await expectPagesOfVisitor(await page.context().newPage())

  expect(await switchMaintenance(folder, 'off')).toContain('Maintenance mode is off.')

  await waitUntilSaved(page)
  const notice = exam.getByText(/^Your exam was paused for .+ while Learnify was under/)
  await expect(notice).toBeVisible()

  // The first response after the maintenance brings the new end at the latest.
  const firstNotice = String(await notice.textContent())
  await switchMaintenance(folder, 'on')
  expect(await switchMaintenance(folder, 'off')).toContain('Running again: 1 exam.')
  await expect.poll(readReadiness).not.toContain('Maintenance')

  await choices(exam).nth(1).check()
  await expect(notice).not.toHaveText(firstNotice)

  await page.reload()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
})

async function switchMaintenance(dataFolder: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/command.ts', 'maintenance', ...args],
    { env: { ...process.env, DATA_DIR: dataFolder } },
  )

  return stdout
}

async function expectPagesOfVisitor(visitor: Page) {
  const profile = await visitor.goto('/Profile')
  expect([profile?.status(), profile?.headers()['retry-after']]).toEqual([503, '60'])
  await expect(
    visitor.getByRole('heading', { level: 1, name: 'We’ll be right back' }),
  ).toBeVisible()
  await expect(visitor).toHaveTitle('We’ll be right back · Learnify')
  await expect(visitor.getByText('We’re moving. Please try again in a few minutes.')).toBeVisible()
  expect((await visitor.goto('/AllCourses'))?.status()).toBe(200)
}
