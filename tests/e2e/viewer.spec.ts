import type { Page } from '@playwright/test'
import { eq, sql } from 'drizzle-orm'
import { certificates, users } from '~/server/database/schema'
import { learnerLimits } from '../../app/features/enrollment/learner-limits'
import { expect, test } from '../support/browser'
import { waitUntilIdle } from '../support/hydration'
import { goOffline, waitUntilSettled } from '../support/offline'
import { withProductDatabase } from '../support/product-database'
import { confirmEmail, enrollIn, signUpNewLearner } from '../support/sign-in'

const courseId = 'python-from-zero'
const coursePath = `/OneCourse/${courseId}`
const header = (page: Page) => page.getByRole('banner')
/** The name in the header, which shows that the page knows its viewer. */
const viewerName = (page: Page) => header(page).getByText('Ada', { exact: true }).first()
const wishButton = (page: Page) =>
  page.getByRole('button', { name: /^(Add to|Remove from) wish list(: Python from Zero)?$/ })
const enrollButton = (page: Page) => page.getByRole('button', { name: 'Enroll Now' })

/** Records the requests for what is not the same for everyone, and those that change something. */
function recordPersonalRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const isPersonal = /^\/(viewer|account|Enrollments|Wishes|Reviews|TimeZone)/.test(pathname)
    if (isPersonal || request.method() !== 'GET') {
      requests.push(`${request.method()} ${pathname}${search}`)
    }
  })

  return requests
}

/** Returns the path of a certificate of the demo learner. */
async function findDemoCertificatePath(): Promise<string> {
  const [certificate] = await withProductDatabase((db) =>
    db
      .select({ id: certificates.id })
      .from(certificates)
      .innerJoin(users, eq(users.id, certificates.uid))
      .where(eq(users.email, 'demo@learnify.example'))
      .limit(1),
  )
  if (!certificate) {
    throw new Error('The demo learner has no certificate.')
  }

  return `/Certificate/${certificate.id}`
}

test.describe('a page', () => {
  test('requests nothing about a visitor, and no script of the video player', async ({ page }) => {
    const requests = recordPersonalRequests(page)
    const scripts: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) {
        scripts.push(response.text().catch(() => ''))
      }
    })

    for (const path of [
      '/AllCourses',
      `${coursePath}?tab=reviews`,
      await findDemoCertificatePath(),
    ]) {
      await page.goto(path)
      await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible()
      await waitUntilIdle(page)
    }

    expect(requests).toEqual([])

    const scriptTexts = await Promise.all(scripts)
    expect(scriptTexts.length).toBeGreaterThan(0)
    expect(scriptTexts.filter((script) => script.includes('Keyboard shortcuts'))).toEqual([])
  })

  test('requests what is about a learner once, again for another course, and not for a tab, and no script of the home page', async ({
    page,
  }) => {
    await signUpNewLearner(page)
    const requests = recordPersonalRequests(page)
    const homeScripts: string[] = []
    page.on('request', (request) => {
      if (/assets\/(home|not-found)-/.test(request.url())) {
        homeScripts.push(request.url())
      }
    })
    const certificatePath = await findDemoCertificatePath()
    await page.goto(certificatePath)
    await expect(viewerName(page)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'This certificate is yours' })).toHaveCount(0)

    const certificateId = certificatePath.split('/').at(-1)
    await expect
      .poll(() => requests.splice(0))
      .toEqual([`GET /viewer?certificate=${certificateId}`])

    await page.goto('/AllCourses')
    await expect(viewerName(page)).toBeVisible()
    await expect.poll(() => requests.splice(0)).toEqual(['GET /viewer'])

    await page.getByRole('link', { name: 'Python from Zero' }).click()
    await page.getByRole('tab', { name: 'Reviews' }).click()
    await expect(page.getByText(/^Enroll in this course and complete 30% of it/)).toBeVisible()
    expect(requests).toEqual([`GET /viewer?course=${courseId}`])

    await waitUntilSettled(page)
    expect(homeScripts).toEqual([])
  })
})

test('who is signed in and what they bought shows before any script has run, and is forgotten at sign-out', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  await signUpNewLearner(page)
  await enrollIn(page, courseId)
  const enrolledButton = page.getByRole('button', { name: '✓ Enrolled' })
  await page.goto(coursePath)
  await expect(enrolledButton).toBeVisible()
  await expect(header(page).getByRole('button', { name: 'Ada' })).toBeVisible()

  // React Router reloads a page that can't load a script of another route.
  await waitUntilSettled(page)
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(coursePath, { waitUntil: 'commit' })
  await expect(enrolledButton).toBeVisible()

  for (const text of [
    '$89',
    '9,120 reviews',
    'This course includes',
    'No account needed',
    'What you will learn',
  ]) {
    await expect(page.getByText(text).first()).toBeHidden()
  }

  await page.goto('/AllCourses', { waitUntil: 'commit' })
  await expect(header(page).getByRole('link', { name: 'Ada' })).toBeVisible()
  await expect(header(page).getByRole('link', { name: 'Sign Up' })).toBeHidden()

  const card = page.getByRole('article').filter({ hasText: 'Python from Zero' })
  await expect(card).toBeVisible()
  await expect(card.getByText('$89')).toBeHidden()

  await page.unroute('**/assets/*.js')
  await page.context().clearCookies()
  await page.goto('/AllCourses')
  await expect(header(page).getByRole('link', { name: 'Sign Up' })).toBeVisible()
  await expect(card.getByText('$89')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('account'))).toBeNull()
})

/**
 * Fills an account up to its limit, with copies of a course, because the content has fewer courses.
 */
function fillAccount(email: string, table: 'enrollments' | 'wishes') {
  return withProductDatabase(async (db) => {
    const ids = sql`
      (select ${`${table}-`}::text || i as id from generate_series(1, ${learnerLimits[table]}::int) i) made`
    await db.execute(sql`
      insert into courses
      select (jsonb_populate_record(c, jsonb_build_object('id', made.id, 'published', false))).*
      from courses c, ${ids}
      where c.id = ${courseId}
      on conflict do nothing`)
    await db.execute(sql`
      insert into ${sql.identifier(table)} (uid, course_id)
      select u.id, made.id
      from users u, ${ids}
      where u.email = ${email}`)
  })
}

test('a full account refuses another wish and another course with a sentence', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/409/)
  const { email } = await signUpNewLearner(page)
  await fillAccount(email, 'enrollments')
  await fillAccount(email, 'wishes')
  await page.goto(coursePath)
  await expect(viewerName(page)).toBeVisible()

  await wishButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Your wish list is full' })).toHaveText(
    /^Your wish list is full: it holds up to 100 courses/,
  )
  await expect(wishButton(page)).toHaveAccessibleName(/^Add to wish list/)

  await enrollButton(page).click()
  await expect(page.getByText('You’re enrolled in 500 courses, which is the limit.')).toBeVisible()
  await expect(enrollButton(page)).toBeVisible()
})

test('offline, a learner stays signed in on the page, and a wish waits for another click', async ({
  page,
  guard,
  context,
}) => {
  guard.allowOfflineErrors()
  await signUpNewLearner(page)
  await page.goto(coursePath)
  await expect(viewerName(page)).toBeVisible()

  await goOffline(page)

  await wishButton(page).click()
  await expect(page.getByText('We couldn’t update your wish list.')).toBeVisible()
  await expect(wishButton(page)).toHaveAccessibleName(/^Add to wish list/)

  const failedRequest = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/viewer'),
  )
  await page.evaluate(() => new BroadcastChannel('learnify-session').postMessage('changed'))
  await failedRequest
  await expect(viewerName(page)).toBeVisible()

  await context.setOffline(false)
  const storedWish = page.waitForResponse((response) => response.url().endsWith('/Wishes'))
  await wishButton(page).click()
  await expect(wishButton(page)).toHaveAccessibleName(/^Remove from wish list/)
  expect((await storedWish).status()).toBe(200)

  await page.goto('/Profile/current-courses')
  const wishList = page.getByRole('region', { name: /Wish list/ })
  await expect(wishList.getByRole('link', { name: 'Python from Zero' })).toBeVisible()
})

test('a vote that cannot be sent is reported, and the page stays', async ({ page, guard }) => {
  guard.allowOfflineErrors()
  const { email } = await signUpNewLearner(page)
  await enrollIn(page, courseId)
  await confirmEmail(email)
  await page.goto(`${coursePath}?tab=reviews`)
  await expect(page.getByText('You can review this course once')).toBeVisible()

  await goOffline(page)

  const review = page.getByRole('article').first()
  const helpfulButton = review.getByRole('button', { name: 'Helpful' })
  await helpfulButton.click()

  await expect(review.getByRole('alert')).toHaveText(
    'We couldn’t reach Learnify. Check your connection, then try again.',
  )
  await expect(helpfulButton).toHaveAttribute('aria-pressed', 'false')
})

test('a running exam is shown wherever its course is, and a learner’s phone has a bar of links except in the exam', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { email } = await signUpNewLearner(page)
  await confirmEmail(email)
  await enrollIn(page, courseId)
  await enrollIn(page, 'typography-for-screens')
  const phoneBar = page.getByRole('navigation', { name: 'Quick links' })
  const runningExam = page.getByRole('link', { name: /^Exam running, \d+:\d\d left$/ })

  await page.goto(`/Exam/${courseId}`)
  await page.getByRole('button', { name: /^Start/ }).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(phoneBar).toHaveCount(0)

  await page.goto(coursePath)
  await expect(runningExam).toHaveAttribute('href', `/Exam/${courseId}`)
  await expect(runningExam).toBeInViewport()

  await phoneBar.getByRole('link', { name: 'Courses' }).click()
  await expect(page).toHaveURL('/AllCourses')
  await expect(runningExam).toHaveCount(1)

  const myLearning = phoneBar.getByRole('link', { name: 'My learning' })
  await myLearning.click()
  await expect(myLearning).toHaveAttribute('aria-current', 'page')
  await expect(runningExam).toHaveCount(1)

  await page.getByRole('button', { name: 'Leave course: Typography for Screens' }).click()
  const courseRow = page.getByRole('article').filter({ hasText: 'Typography for Screens' })
  await expect(courseRow).toHaveCount(0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(courseRow).toHaveCount(1)
})
