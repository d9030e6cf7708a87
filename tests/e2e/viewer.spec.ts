import type { Page } from '@playwright/test'
import { eq, sql } from 'drizzle-orm'
import { certificates, users } from '~/server/database/schema'
import { learnerLimits } from '../../app/features/enrollment/learner-limits'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import { withProductDatabase } from '../support/product-database'
import { confirmEmail, enrollIn, signInAsDemo, signUpNewLearner } from '../support/sign-in'

const course = 'python-from-zero'
const heart = (page: Page) =>
  page.getByRole('button', { name: /^(Add to|Remove from) wish list(: Python from Zero)?$/ })
const enroll = (page: Page) => page.getByRole('button', { name: 'Enroll Now' })

/** Requests for what is not the same for everyone, or that change something. */
function personalRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const personal = /^\/(viewer|account|Enrollments|Wishes|Reviews|TimeZone)/.test(pathname)
    if (personal || request.method() !== 'GET') {
      requests.push(`${request.method()} ${pathname}${search}`)
    }
  })

  return requests
}

async function demoCertificate(): Promise<string> {
  const [row] = await withProductDatabase((db) =>
    db
      .select({ id: certificates.id })
      .from(certificates)
      .innerJoin(users, eq(users.id, certificates.uid))
      .where(eq(users.email, 'demo@learnify.example'))
      .limit(1),
  )

  return row?.id ?? ''
}

test.describe('what a page asks about whoever looks at it', () => {
  test('is nothing for a visitor', async ({ page }) => {
    const requests = personalRequests(page)
    for (const path of [
      '/AllCourses',
      `/OneCourse/${course}?tab=reviews`,
      `/Certificate/${await demoCertificate()}`,
    ]) {
      await page.goto(path)
      await waitForHydration(page)
      await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    }

    expect(requests).toEqual([])
  })

  test('is one request a page for a learner, which answers everything', async ({ page }) => {
    await signUpNewLearner(page)
    await enrollIn(page, course)
    const requests = personalRequests(page)
    const certificate = await demoCertificate()
    for (const [path, question] of [
      ['/AllCourses', ''],
      [`/OneCourse/${course}?tab=reviews`, `?course=${course}`],
      [`/Certificate/${certificate}`, `?certificate=${certificate}`],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('banner').getByText('Ada', { exact: true }).first()).toBeVisible()
      await expect.poll(() => requests.splice(0)).toEqual([`GET /viewer${question}`])
    }
  })

  test('is one request more where a link leads to another course, and none for a tab', async ({
    page,
  }) => {
    await signUpNewLearner(page)
    await page.goto('/AllCourses')
    await expect(page.getByRole('banner').getByText('Ada', { exact: true }).first()).toBeVisible()
    const requests = personalRequests(page)
    await page.getByRole('link', { name: 'Python from Zero' }).click()
    await page.getByRole('tab', { name: 'Reviews' }).click()
    await expect(page.getByText(/^Enroll in this course and complete 30% of it/)).toBeVisible()
    expect(requests).toEqual([`GET /viewer?course=${course}`])
  })
})

test.describe('who is signed in', () => {
  const bar = (page: Page) => page.getByRole('banner')

  test('shows before any script of the page has run, and is forgotten at sign-out', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    await signUpNewLearner(page)
    await page.goto('/AllCourses')
    await expect(bar(page).getByRole('button', { name: 'Ada' })).toBeVisible()
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/AllCourses', { waitUntil: 'commit' })
    await expect(bar(page).getByRole('link', { name: 'Ada' })).toBeVisible()
    await expect(bar(page).getByRole('link', { name: 'Sign Up' })).toBeHidden()

    await page.unroute('**/assets/*.js')
    await page.context().clearCookies()
    await page.goto('/AllCourses')
    await waitForHydration(page)
    await expect(bar(page).getByRole('link', { name: 'Sign Up' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('account'))).toBeNull()
  })

  test('stays while the account can’t be asked', async ({ page, guard }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    await signUpNewLearner(page)
    await page.route(/\/viewer(\?|$)/, (route) => route.abort())
    await page.goto('/AllCourses')
    await waitForHydration(page)
    await expect(bar(page).getByRole('link', { name: 'Profile' })).toBeVisible()
    await expect(bar(page).getByRole('link', { name: 'Sign Up' })).toBeHidden()
  })
})

test('a certificate says who holds it to its holder only', async ({ page, browser }) => {
  await signInAsDemo(page)
  const address = `/Certificate/${await demoCertificate()}`
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'This certificate is yours' })).toBeVisible()
  const other = await browser.newPage()
  await signUpNewLearner(other)
  await other.goto(new URL(address, page.url()).href)
  await expect(other.getByRole('banner').getByText('Ada', { exact: true }).first()).toBeVisible()
  await expect(other.getByRole('heading', { name: 'This certificate is yours' })).toHaveCount(0)
  await other.close()
})

test.describe('a full account', () => {
  /** Content has fewer courses than an account may keep. */
  function fillList(email: string, table: 'enrollments' | 'wishes') {
    return withProductDatabase(async (db) => {
      const ids = sql`(select ${`${table}-`}::text || i as id from generate_series(1, ${learnerLimits[table]}::int) i) made`
      await db.execute(sql`
        insert into courses select (jsonb_populate_record(c, jsonb_build_object('id', made.id, 'published', false))).*
        from courses c, ${ids} where c.id = ${course} on conflict do nothing`)
      await db.execute(sql`
        insert into ${sql.identifier(table)} (uid, course_id) select u.id, made.id from users u, ${ids}
        where u.email = ${email}`)
    })
  }

  test('refuses another course with a sentence', async ({ page, guard }) => {
    guard.allowConsoleError(/409/)
    const { email } = await signUpNewLearner(page)
    await fillList(email, 'enrollments')
    await page.goto(`/OneCourse/${course}`)
    await enroll(page).click()
    await expect(
      page.getByText('You’re enrolled in 500 courses, which is the limit.'),
    ).toBeVisible()
    await expect(enroll(page)).toBeVisible()
  })

  test('refuses another wish with a sentence', async ({ page, guard }) => {
    guard.allowConsoleError(/409/)
    const { email } = await signUpNewLearner(page)
    await fillList(email, 'wishes')
    await page.goto('/AllCourses')
    await expect(page.getByRole('banner').getByText('Ada', { exact: true }).first()).toBeVisible()
    await heart(page).click()
    await expect(page.getByRole('alert')).toHaveText(
      /^Your wish list is full: it holds up to 100 courses/,
    )
    await expect(heart(page)).toHaveAccessibleName(/^Add to wish list/)
  })
})

test('a wish that cannot be sent is taken back, with a sentence', async ({
  page,
  guard,
  context,
}) => {
  guard.allowOfflineErrors()
  await signUpNewLearner(page)
  await page.goto(`/OneCourse/${course}`)
  await expect(page.getByRole('banner').getByText('Ada', { exact: true }).first()).toBeVisible()
  await context.setOffline(true)
  await heart(page).click()
  await expect(page.getByText('We couldn’t update your wish list.')).toBeVisible()
  await expect(heart(page)).toHaveAccessibleName(/^Add to wish list/)
})

test('a vote that cannot be sent is told, and the page stays', async ({ page, guard, context }) => {
  guard.allowOfflineErrors()
  const { email } = await signUpNewLearner(page)
  await enrollIn(page, course)
  await confirmEmail(email)
  // What sends a vote is loaded as soon as the learner may need it: a route's module and its part
  // for changes.
  const scripts = new Set<string>()
  page.on('requestfinished', (request) => {
    if (/\/assets\/reviews-/.test(request.url())) {
      scripts.add(request.url())
    }
  })

  await page.goto(`/OneCourse/${course}?tab=reviews`)
  const card = page.getByRole('article').first()
  await expect(page.getByText('You can review this course once')).toBeVisible()
  await expect.poll(() => scripts.size).toBe(2)
  await context.setOffline(true)
  await card.getByRole('button', { name: 'Helpful' }).click()
  await expect(card.getByRole('alert')).toHaveText(
    'We couldn’t reach Learnify. Check your connection, then try again.',
  )
  await expect(card.getByRole('button', { name: 'Helpful' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
})

test('a learner who is offline for a while stays signed in on the page', async ({
  page,
  guard,
  context,
}) => {
  guard.allowOfflineErrors()
  await signUpNewLearner(page)
  await page.goto(`/OneCourse/${course}`)
  const name = page.getByRole('banner').getByText('Ada', { exact: true }).first()
  await expect(name).toBeVisible()
  await context.setOffline(true)
  const viewerRequestFailed = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/viewer'),
  )
  await page.evaluate(() => new BroadcastChannel('learnify-session').postMessage('changed'))
  await viewerRequestFailed
  await expect(name).toBeVisible()
})
