import type { Page } from '@playwright/test'
import { and, eq } from 'drizzle-orm'
import { revokeCertificate } from '~/features/certificates/certificate-reissuing.server'
import { activities, enrollments, lessonProgress, users } from '~/server/database/schema'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { listVerificationErrors } from '../support/credential-verifier'
import {
  answerExamCorrectly,
  examPath,
  signUpWithFinishedCourse,
  submitOpenAttempt,
} from '../support/exam-journey'
import { withProductDatabase } from '../support/product-database'

const ownCertificateHeading = (page: Page) => page.getByText('This certificate is yours')

test('from a finished course through the exam to a certificate that an employer can check', async ({
  page,
  browser,
  baseURL,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  await answerExamCorrectly(uid)
  await page.goto(`${examPath}?question=review`)
  await page.getByRole('button', { name: 'Submit exam' }).click()
  await expect(page.getByRole('heading', { name: 'You passed the exam' })).toBeVisible()
  await expect(page.getByText('8 of 8 correct')).toBeVisible()
  await expectAccessible(page)
  await expectAchievement(page, 'First Certificate')
  await expectAchievement(page, 'High Achiever')
  await expect(page.getByRole('region', { name: 'Achievement earned' })).toHaveCount(0)

  await page.getByRole('link', { name: 'See your certificate' }).click()
  await expect(ownCertificateHeading(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expectAccessible(page)

  const certificateUrl = page.url()
  const employer = await (await browser.newContext()).newPage()
  await employer.goto(certificateUrl)
  await expect(employer.getByText('Valid. Learnify issued this certificate.')).toBeVisible()
  await expect(employer.getByText('Ada Lovelace')).toBeVisible()
  await expect(ownCertificateHeading(employer)).toBeHidden()

  const pdf = await employer.request.get(`${certificateUrl}/certificate.pdf`)
  expect(pdf.headers()['content-type']).toBe('application/pdf')

  const getJson = async (url: string) => (await employer.request.get(url)).json()
  const credential = await getJson(`${certificateUrl}/credential.json`)
  const verifier = { load: getJson, issuer: await getJson(`${baseURL}/.well-known/did.json`) }
  expect(await listVerificationErrors(credential, verifier)).toEqual([])

  const altered = JSON.parse(JSON.stringify(credential).replace('Lovelace', 'Lovelacf'))
  expect(await listVerificationErrors(altered, verifier)).not.toEqual([])

  await page.getByRole('checkbox', { name: 'Show my full name' }).uncheck()
  await expect(page.getByText('show only ‘A. L.’.')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('A. L.')

  for (const url of [certificateUrl, `${certificateUrl}/credential.json`]) {
    expect(await (await employer.request.get(url)).text()).not.toContain('Lovelace')
  }

  const certificateId = String(certificateUrl.split('/').at(-1))
  await withProductDatabase((db) =>
    revokeCertificate(db, certificateId, 'Issued by mistake', new Date()),
  )
  expect(await listVerificationErrors(credential, verifier)).toEqual(['revoked'])

  await employer.reload()
  await expect(employer.getByText('Revoked. This certificate is no longer valid.')).toBeVisible()
  await expect(employer.getByText('Reason: Issued by mistake')).toBeVisible()

  await employer.context().close()
})

async function expectAchievement(page: Page, name: string) {
  const achievement = page.getByRole('region', { name: `Achievement earned: ${name}` })
  await expect(achievement).toBeVisible()
  await achievement.getByRole('button', { name: 'Dismiss' }).click()
  await expect(achievement).toBeHidden()
}

test('an earned certificate waits for the email address to be confirmed, and says so', async ({
  page,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  const setConfirmed = (emailVerified: boolean) =>
    withProductDatabase((db) => db.update(users).set({ emailVerified }).where(eq(users.id, uid)))
  const waitingNotice = page.getByText('Confirm your email address to receive your certificate.')
  await answerExamCorrectly(uid)
  // The learner changes the address during the exam.
  await setConfirmed(false)
  await submitOpenAttempt(uid)

  await page.goto(examPath)
  await expect(waitingNotice).toBeVisible()
  await expect(page.getByRole('link', { name: 'Confirm your email address' })).toBeVisible()

  await page.goto('/Profile/achievements')
  await expect(waitingNotice).toBeVisible()

  await page.goto('/Learn/python-from-zero')
  await expect(page.getByText('Confirm your email address')).toBeAttached()

  await setConfirmed(true)
  await page.goto('/Profile/achievements')
  await page.getByRole('link', { name: 'Python from Zero' }).click()
  await expect(page.getByText('Issued to a confirmed email address.')).toBeVisible()
})

test('the last lesson leads to the exam, which the celebration of the course does not cover', async ({
  page,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  const lastLessonId = 'check-loops-and-functions'
  await withProductDatabase(async (db) => {
    await db
      .delete(lessonProgress)
      .where(and(eq(lessonProgress.uid, uid), eq(lessonProgress.lessonId, lastLessonId)))
    await db.update(enrollments).set({ completedAt: null }).where(eq(enrollments.uid, uid))
    await db.delete(activities).where(eq(activities.uid, uid))
  })

  await page.goto(`/Learn/python-from-zero/${lastLessonId}`)
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByRole('heading', { name: 'Course finished' })).toBeVisible()

  const examLink = page
    .getByRole('navigation', { name: 'Lesson navigation' })
    .getByRole('link', { name: 'Go to exam' })
  for (const width of [390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const isUncovered = () =>
      examLink.evaluate((link) => {
        link.scrollIntoView({ block: 'end' })
        const { x, y, width, height } = link.getBoundingClientRect()
        return link.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })

    await expect.poll(isUncovered, { message: `at ${width} px` }).toBe(true)
  }
})
