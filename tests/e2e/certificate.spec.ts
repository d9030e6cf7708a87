import { and, eq } from 'drizzle-orm'
import { revokeCertificate } from '~/features/certificates/certificate-issuing.server'
import { activities, enrollments, lessonProgress, users } from '~/server/database/schema'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { listVerificationErrors } from '../support/credential-verifier'
import {
  examPath,
  passExam,
  recordPassedExam,
  signUpWithFinishedCourse,
  startExam,
} from '../support/exam-journey'
import { withProductDatabase } from '../support/product-database'

test('from a finished course through the exam to a certificate that an employer can check', async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow()
  const uid = await signUpWithFinishedCourse(page)
  await passExam(page, uid)
  await expect(page.getByText('8 of 8 correct')).toBeVisible()
  await expectAccessible(page)
  const earned = (name: string) => page.getByRole('region', { name: `Achievement earned: ${name}` })
  await expect(earned('First Certificate')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(earned('High Achiever')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('region', { name: 'Achievement earned' })).toHaveCount(0)
  await page.getByRole('link', { name: 'See your certificate' }).click()
  await expect(page.getByText('This certificate is yours')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expectAccessible(page)

  const address = page.url()
  const employer = await (await browser.newContext()).newPage()
  await employer.goto(address)
  await expect(employer.getByText('Valid. Learnify issued this certificate.')).toBeVisible()
  await expect(employer.getByText('Ada Lovelace')).toBeVisible()
  await expect(employer.getByText('This certificate is yours')).toBeHidden()
  const get = async (url: string) => (await employer.request.get(url)).json()
  const credential = await get(`${address}/credential.json`)
  const verifier = { load: get, issuer: await get(`${baseURL}/.well-known/did.json`) }
  expect(await listVerificationErrors(credential, verifier)).toEqual([])
  const altered = JSON.parse(JSON.stringify(credential).replace('Lovelace', 'Lovelacf'))
  expect(await listVerificationErrors(altered, verifier)).not.toEqual([])

  const id = address.split('/').at(-1) ?? ''
  await withProductDatabase((db) => revokeCertificate(db, id, 'Issued by mistake', new Date()))
  expect(await listVerificationErrors(credential, verifier)).toEqual(['revoked'])
  await employer.reload()
  await expect(employer.getByText('Revoked. This certificate is no longer valid.')).toBeVisible()
  await expect(employer.getByText('Reason: Issued by mistake')).toBeVisible()
  await employer.context().close()
})

test('an earned certificate waits for the address to be confirmed, and says so', async ({
  page,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  const setConfirmed = (emailVerified: boolean) =>
    withProductDatabase((db) => db.update(users).set({ emailVerified }).where(eq(users.id, uid)))
  await startExam(page)
  // The address changes while the exam is under way.
  await setConfirmed(false)
  await recordPassedExam(uid)
  const waiting = page.getByText('Confirm your email address to receive your certificate.')
  await page.goto(examPath)
  await expect(waiting).toBeVisible()
  await expect(page.getByRole('link', { name: 'Confirm your email address' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/Profile/achievements')
  await expect(waiting).toBeVisible()
  await page.goto('/Learn/python-from-zero')
  await expect(page.getByText('Confirm your email address')).toBeAttached()
  await setConfirmed(true)
  await page.goto('/Profile/achievements')
  await page.getByRole('link', { name: 'Python from Zero' }).click()
  await expect(page.getByText('Issued to a confirmed email address.')).toBeVisible()
})

test('the celebration of a finished course leaves the way to the exam free', async ({ page }) => {
  const uid = await signUpWithFinishedCourse(page)
  const lastLesson = 'check-loops-and-functions'
  await withProductDatabase(async (db) => {
    await db
      .delete(lessonProgress)
      .where(and(eq(lessonProgress.uid, uid), eq(lessonProgress.lessonId, lastLesson)))
    await db.update(enrollments).set({ completedAt: null }).where(eq(enrollments.uid, uid))
    await db.delete(activities).where(eq(activities.uid, uid))
  })

  await page.goto(`/Learn/python-from-zero/${lastLesson}`)
  await page.getByRole('button', { name: 'Mark as done' }).click()
  const toExam = page
    .getByRole('navigation', { name: 'Lesson navigation' })
    .getByRole('link', { name: 'Go to exam' })
  await expect(page.getByRole('heading', { name: 'Course finished' })).toBeVisible()
  for (const width of [390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await toExam.evaluate((link) => link.scrollIntoView({ block: 'end' }))
    const isFree = await toExam.evaluate((link) => {
      const { x, y, width, height } = link.getBoundingClientRect()
      return link.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
    expect(isFree, `at ${width} px`).toBe(true)
  }
})

test('the last lesson after the exam leads to the certificate, whose holder decides whether the full name shows', async ({
  page,
  request,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  const lastLesson = 'check-loops-and-functions'
  await withProductDatabase(async (db) => {
    await db
      .delete(lessonProgress)
      .where(and(eq(lessonProgress.uid, uid), eq(lessonProgress.lessonId, lastLesson)))
    await db.update(enrollments).set({ completedAt: null }).where(eq(enrollments.uid, uid))
  })

  await recordPassedExam(uid)
  await page.goto(`/Learn/python-from-zero/${lastLesson}`)
  await page.getByRole('button', { name: 'Mark as done' }).click()
  const next = page.getByRole('navigation', { name: 'Lesson navigation' })
  await next.getByRole('link', { name: 'See your certificate' }).click()
  await page.getByRole('checkbox', { name: 'Show my full name' }).uncheck()
  await expect(page.getByText('show only ‘A. L.’.')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('A. L.')
  for (const file of ['', '/credential.json']) {
    expect(await (await request.get(`${page.url()}${file}`)).text()).not.toContain('Lovelace')
  }

  const pdf = await request.get(`${page.url()}/certificate.pdf`)
  expect(pdf.headers()['content-type']).toBe('application/pdf')
})
