import type { BrowserContext, Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { users } from '~/server/database/schema'
import { expect, test } from '../support/browser'
import { withProductDatabase } from '../support/product-database'
import { enrolIn, signUpNewLearner } from '../support/sign-in'

const course = 'python-from-zero'
const lessons = [
  'names-and-values',
  'text-numbers-and-conversion',
  'check-values-and-names',
  'how-a-for-loop-walks',
  'functions-that-return',
  'check-loops-and-functions',
]
const video = `/Learn/${course}/names-and-values`

async function newLearner(page: Page) {
  await signUpNewLearner(page)
  await enrolIn(page, course)
}

/** Opens a lesson whose page is hydrated. */
async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
}

const saved = (page: Page) => expect(page.locator('[data-status]')).toHaveText('Saved', { timeout: 15_000 })

/** Plays the rest of the video at double speed, as a learner may, and waits for its end. */
async function watch(page: Page) {
  await page.getByLabel('Speed').selectOption('2')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByText(/Next lesson|This was the last lesson/)).toBeVisible({ timeout: 40_000 })
}

async function read(page: Page) {
  const mark = page.getByRole('button', { name: 'Mark as done' }).first()
  await expect(mark).toBeDisabled()
  await mark.scrollIntoViewIfNeeded()
  await expect(mark).toBeEnabled()
  await mark.click()
  await expect(page.getByText('You have read this article.')).toBeVisible()
}

async function answer(page: Page) {
  await expect(page.getByText(/^Question 1 of/)).toBeVisible()
  const questions = page.locator('form:has(fieldset)')
  for (let index = 0; index < (await questions.count()); index++) {
    const question = questions.nth(index)
    await question.locator('input').first().check()
    await question.getByRole('button', { name: 'Check the answer' }).click()
    await expect(question.getByText(/^(Right\.|Not quite\.)/)).toBeVisible()
  }
  await expect(page.getByText('All questions are answered. Well done!')).toBeVisible()
}

test('a learner goes from sign-up to a finished course', async ({ page }) => {
  test.setTimeout(180_000)
  await signUpNewLearner(page)
  await page.goto(`/OneCourse/${course}`)
  await page.getByRole('button', { name: 'Enroll Now' }).click()
  await page.getByRole('link', { name: 'Continue learning' }).click()
  await expect(page).toHaveURL(video)
  await watch(page)
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
  await page.getByRole('link', { name: 'Go on' }).click()
  await read(page)
  await page.getByRole('link', { name: /^Next/ }).click()
  await answer(page)
  await page.getByRole('link', { name: /^Next/ }).click()
  await watch(page)
  await page.getByRole('link', { name: 'Go on' }).click()
  await read(page)
  await page.getByRole('link', { name: /^Next/ }).click()
  await answer(page)
  await expect(page.getByText('100%', { exact: true })).toBeVisible()
  await saved(page)

  await page.goto('/Profile/current-courses')
  await expect(page.getByText('6 of 6 lessons')).toBeVisible()
  await page.goto('/Profile')
  await expect(page.getByText('Completed Python from Zero')).toBeVisible()
  await page.getByText(/^Show \d+ more$/).click()
  await expect(page.getByText('Finished Names Are Labels in Python from Zero')).toBeVisible()
})

test('a learner finishes lessons with the keyboard alone', async ({ page }) => {
  test.setTimeout(120_000)
  await newLearner(page)
  await open(page, video)
  // The player's own controls stand once its keys work.
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  for (let press = 0; press < 4; press++) await page.keyboard.press('>')
  await expect(page.getByLabel('Speed')).toHaveValue('2')
  await page.keyboard.press('k')
  const next = page.getByRole('link', { name: 'Go on' })
  await expect(next).toBeVisible({ timeout: 40_000 })
  await next.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Text, Numbers and the Way Between' })).toBeVisible()
  const mark = page.getByRole('button', { name: 'Mark as done' }).first()
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(mark).toBeEnabled({ timeout: 500 })
  }).toPass()
  await mark.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('You have read this article.')).toBeVisible()
  await page.getByRole('link', { name: /^Next/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Check: Values and Names' })).toBeVisible()
  for (const question of await page.locator('form:has(fieldset)').all()) {
    await question.locator('input').first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(question.getByText(/^(Right\.|Not quite\.)/)).toBeVisible()
  }
  await expect(page.getByText('3 of 6 lessons done')).toBeVisible()
  await saved(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a learner works through lessons, with the course folded away', async ({ page }) => {
    test.setTimeout(120_000)
    await newLearner(page)
    await open(page, video)
    await expect(page.getByText('0 of 6 lessons done')).toBeHidden()
    await watch(page)
    await page.getByRole('link', { name: 'Go on' }).tap()
    await read(page)
    await page.getByRole('button', { name: /^Lessons/ }).tap()
    await expect(page.getByText('2 of 6 lessons done')).toBeVisible()
    await page
      .locator('#lessons')
      .getByRole('link', { name: /Check: Values and Names/ })
      .tap()
    await expect(page.getByText('2 of 6 lessons done')).toBeHidden()
    await answer(page)
    await saved(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })
})

test('seeking to the end does not finish a video', async ({ page }) => {
  await newLearner(page)
  await open(page, video)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.locator('video').evaluate((element: HTMLVideoElement) => {
    element.currentTime = 26
  })
  await expect(page.getByText('Next lesson')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  await saved(page)
})

/** The second that the lesson would go on from, as the server knows it. */
async function resumeSecond(context: BrowserContext) {
  const page = await context.newPage()
  await open(page, video)
  const seek = page.getByLabel('Seek')
  await expect.poll(async () => Number(await seek.inputValue())).toBeGreaterThan(0)
  const second = Number(await seek.inputValue())
  await page.close()
  return second
}

test('what was watched while the network was cut, in a tab that was closed, is there after reopening online', async ({
  page,
  context,
  guard,
}) => {
  test.setTimeout(90_000)
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await newLearner(page)
  await open(page, video)
  await page.locator('video').evaluate(
    (element: HTMLVideoElement) =>
      new Promise<void>((loaded) => {
        element.preload = 'auto'
        if (element.readyState >= 4) loaded()
        else element.addEventListener('canplaythrough', () => loaded(), { once: true })
      }),
  )
  await context.setOffline(true)
  await page.getByLabel('Speed').selectOption('2')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Offline: kept on this device' })).toBeVisible({
    timeout: 20_000,
  })
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  const left = await page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime)
  await page.close()
  await context.setOffline(false)

  const profile = await context.newPage()
  const taken = profile.waitForResponse((response) => response.url().endsWith('/progress') && response.status() === 200)
  await profile.goto('/Profile/current-courses')
  await taken
  expect(await resumeSecond(context)).toBeGreaterThan(left - 1.5)
})

test('a report of one learner is never sent as another', async ({ page, context, guard }) => {
  test.setTimeout(60_000)
  guard.allowConsoleError(/Failed to load resource|ERR_/)
  await newLearner(page)
  await open(page, video)
  await page.route('**/progress', (route) => route.abort())
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('Offline: kept on this device')).toBeVisible()
  // What a page sends as it goes is its own learner's; it is over before the other one comes.
  await page.goto('about:blank')
  await page.unroute('**/progress')
  await context.clearCookies()
  await newLearner(page)
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/progress') && sent.push(request.postData() ?? ''))
  await open(page, video)
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  expect(sent.filter((body) => body.includes('"mark":{'))).toEqual([])
})

test('two devices go on where the other one was', async ({ page, browser, baseURL }) => {
  test.setTimeout(60_000)
  const learner = await signUpNewLearner(page)
  await enrolIn(page, course)
  await open(page, video)
  await page.getByRole('button', { name: /0:11/ }).click()
  await expect
    .poll(() => page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(12)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await saved(page)

  const other = await browser.newContext({ baseURL })
  const origin = new URL((await page.request.get('/healthz')).url()).origin
  const { email, password } = learner
  await other.request.post('/account/login', { data: { email, password }, headers: { Origin: origin } })
  expect(await resumeSecond(other)).toBeGreaterThan(11.9)
  await other.close()
})

test('notes are taken at a moment, changed, listed for the course and deleted', async ({ page }) => {
  await newLearner(page)
  await open(page, video)
  await page.getByRole('button', { name: /0:05/ }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByLabel('New note at this moment').fill('A name is **not** a box. <b>x</b>')
  await page.getByRole('button', { name: 'Add note' }).click()
  const note = page.getByRole('article')
  await expect(note.locator('strong')).toHaveText('not')
  await expect(note.getByText('<b>x</b>')).toBeVisible()
  await expect(note.getByRole('button', { name: /Go to 0:0[5-9]/ })).toBeVisible()
  await note.getByRole('button', { name: 'Edit the note' }).click()
  await note.getByLabel('Edit the note').last().fill('Changed')
  await note.getByRole('button', { name: 'Save note' }).click()
  await expect(note.getByText('Changed')).toBeVisible()

  await open(page, `/Learn/${course}/functions-that-return`)
  await expect(page.getByText('You have no notes in this lesson yet.')).toBeVisible()
  await page.getByLabel(/Of the whole course/).check()
  await page.getByRole('link', { name: /Names Are Labels · 0:0/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Names Are Labels' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete the note' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('You have no notes in this lesson yet.')).toBeVisible()
})

test('a note that cannot be sent stays, also when the tab is closed, and the lesson goes on', async ({
  page,
  context,
  guard,
}) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await newLearner(page)
  await open(page, video)
  const box = page.getByLabel('New note at this moment')
  await context.setOffline(true)
  await box.fill('Kept')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('No connection. Please try again once you are connected.')).toBeVisible()
  await expect(box).toHaveValue('Kept')
  await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(page.getByText('No connection. Please try again')).toHaveCount(2)
  await page.close()

  await context.setOffline(false)
  const later = await context.newPage()
  await open(later, video)
  await expect(later.getByLabel('New note at this moment')).toHaveValue('Kept')
  await later.reload()
  await expect(later.getByLabel('New note at this moment')).toHaveValue('Kept')
  await later.getByRole('button', { name: 'Add note' }).click()
  await expect(later.getByRole('article').getByText('Kept')).toBeVisible()
  await expect(later.getByLabel('New note at this moment')).toHaveValue('')
})

test('going on without a connection says so, and the lesson comes by itself afterwards', async ({
  page,
  context,
  guard,
}) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch/)
  await newLearner(page)
  await open(page, video)
  await context.setOffline(true)
  await page.getByRole('link', { name: /^Next/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Text, Numbers and the Way Between' })).toBeVisible()
})

test('what is typed in the tab of one learner is not stored for another who signed in since', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/403|401/)
  await newLearner(page)
  await open(page, video)
  await page.context().clearCookies()
  await page.getByLabel('New note at this moment').fill('Private')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('You are signed out.')).toBeVisible()
  await newLearner(page)
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('Another learner is signed in here by now')).toBeVisible()
  await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(page.getByText('Another learner is signed in here by now')).toHaveCount(2)
  await open(page, video)
  await expect(page.getByText('You have no notes in this lesson yet.')).toBeVisible()
  await expect(page.getByLabel('New note at this moment')).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Bookmark', exact: true })).toBeVisible()
})

test('work of a tab that was closed offline shows as soon as the same lesson is opened again', async ({
  page,
  context,
  guard,
}) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await newLearner(page)
  await open(page, `/Learn/${course}/check-values-and-names`)
  await context.setOffline(true)
  await answer(page)
  await expect(page.getByText('Offline: kept on this device')).toBeVisible()
  await page.close()
  await context.setOffline(false)
  const later = await context.newPage()
  await later.goto(`/Learn/${course}/check-values-and-names`)
  await expect(later.getByText('1 of 6 lessons done')).toBeVisible()
  await expect(later.getByText('Answered', { exact: true }).first()).toBeVisible()
  await expect(later.getByText('All questions are answered. Well done!')).toBeVisible()
})

test('a question is tried again, and its answer is shown once it was answered', async ({ page }) => {
  await newLearner(page)
  await open(page, `/Learn/${course}/check-values-and-names`)
  const question = page.locator('form:has(fieldset)').first()
  await question.locator('input').first().check()
  await question.getByRole('button', { name: 'Check the answer' }).click()
  await expect(question.getByRole('button', { name: 'Try again' })).toBeFocused()
  await question.getByRole('button', { name: 'Try again' }).click()
  await expect(question.locator('input').first()).toBeFocused()
  await expect(question.getByText(/^(Right\.|Not quite\.)/)).toBeHidden()
  await expect(question.locator('input').first()).not.toBeChecked()
  await saved(page)
  await page.reload()
  await question.getByRole('button', { name: 'Show the answer' }).click()
  await expect(question.getByText('Right answer')).toBeAttached()
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('a lesson says what needs one, and takes notes and bookmarks', async ({ page }) => {
    await newLearner(page)
    await page.goto(video)
    await expect(page.getByText('Scripts are off in this browser')).toBeVisible()
    await page.getByLabel('New note at this moment').fill('By hand')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByRole('article').getByText('By hand')).toBeVisible()
    await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Bookmarked' })).toBeVisible()
  })
})

test.describe('in another time zone', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })

  test('the days of learning are those of the browser', async ({ page }) => {
    const { email } = await signUpNewLearner(page)
    await page.goto('/Profile')
    await expect
      .poll(() =>
        withProductDatabase(async (db) => {
          const [learner] = await db.select().from(users).where(eq(users.email, email))
          return learner?.detectedTimezone
        }),
      )
      .toBe('Pacific/Auckland')
    await page.goto('/Profile/personal-info')
    await expect(page.getByText('Auckland')).toBeHidden()
  })
})

test('a lesson is bookmarked, marked and unmarked, and the percentage explains itself', async ({ page }) => {
  await newLearner(page)
  await open(page, video)
  await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(page.getByRole('link', { name: /Names Are Labels.*Bookmarked/ })).toBeVisible()
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
  await saved(page)
  await page.reload()
  const why = page.getByText(/^Why \d+ %\?$/)
  await why.click()
  await expect(page.getByText(/You have done 28 s of/)).toBeVisible()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  await saved(page)
  await page.reload()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
})

test('the transcript is searched, and a click on a line goes there', async ({ page }) => {
  await newLearner(page)
  await open(page, video)
  await page.getByLabel('Search the transcript').fill('TWELVE')
  await expect(page.getByText('2 places found')).toBeVisible()
  await page.getByRole('button', { name: /It prints twelve/ }).click()
  await expect
    .poll(() => page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(10.9)
})

test('every key of the player works, and the list of keys opens with a question mark', async ({ page }) => {
  await newLearner(page)
  await open(page, video)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const player = page.locator('video')
  const read = (name: 'paused' | 'muted' | 'currentTime') =>
    player.evaluate((element: HTMLVideoElement, key) => element[key], name)
  await page.keyboard.press('Space')
  await expect.poll(() => read('paused')).toBe(false)
  await page.keyboard.press('k')
  await expect.poll(() => read('paused')).toBe(true)
  const before = Number(await read('currentTime'))
  await page.keyboard.press('l')
  await expect.poll(async () => Number(await read('currentTime'))).toBeGreaterThan(before + 9)
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => Number(await read('currentTime'))).toBeGreaterThan(before + 14)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('j')
  await expect.poll(async () => Number(await read('currentTime'))).toBeLessThan(before + 1)
  await page.keyboard.press('m')
  await expect.poll(() => read('muted')).toBe(true)
  await page.keyboard.press('c')
  await expect(page.getByRole('button', { name: 'Captions' })).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('<')
  await expect(page.getByLabel('Speed')).toHaveValue('0.75')
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list).toBeVisible()
  await list.getByLabel(/Keys work on the whole page/).uncheck()
  await list.getByRole('button', { name: 'Close' }).click()
  await page.locator('h1').click()
  await page.keyboard.press('m')
  await expect.poll(() => read('muted')).toBe(true)
  await page.reload()
  await expect(page.getByLabel('Speed')).toHaveValue('0.75')
  await page.getByLabel('New note at this moment').fill('')
  await page.getByLabel('New note at this moment').pressSequentially('kmc?')
  await expect(page.getByLabel('New note at this moment')).toHaveValue('kmc?')
})

test('others are led to the course page with a sentence why', async ({ page }) => {
  await page.goto(video)
  await expect(page).toHaveURL(`/OneCourse/${course}?why=sign-in`)
  await expect(page.getByText('The lessons are for signed-in learners of this course.')).toBeVisible()
  await signUpNewLearner(page)
  await page.goto(`/Learn/${course}`)
  await expect(page).toHaveURL(`/OneCourse/${course}?why=enrol`)
  await expect(page.getByText('The lessons are for learners of this course. Enroll first, then start.')).toBeVisible()
})

test('lessons and courses that do not exist say so, and announced ones that their material is to come', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404/)
  await newLearner(page)
  for (const path of [`/Learn/${course}/nothing`, '/Learn/nothing/at-all']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Lesson not found' })).toBeVisible()
  }
  await page.goto(`/Learn/${course}/while-and-when-to-stop`)
  await expect(page.getByText('The material of this lesson is still to come')).toBeVisible()
})

test('a forged report is refused with the right status and changes nothing', async ({ page, playwright, baseURL }) => {
  await newLearner(page)
  let report: Record<string, unknown> = {}
  page.on('request', (request) => {
    if (request.url().endsWith('/progress')) report = request.postDataJSON()
  })
  await open(page, video)
  await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await saved(page)
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await saved(page)
  const origin = baseURL ?? ''
  const send = async (change: object, { address = video, request = page.request } = {}) => {
    const data = { ...report, ...change }
    return (await request.post(`${address}/progress`, { data, headers: { Origin: origin } })).status()
  }
  expect(await send({})).toBe(200)
  expect(await send({ watched: [[-1, 5]] })).toBe(400)
  expect(await send({ extra: 1 })).toBe(400)
  expect(await send({ watched: [[0, 600_000]] })).toBe(422)
  expect(await send({ position: { ms: 40_000, at: report.openedAt } })).toBe(422)
  expect(await send({ mark: { value: 'done', at: Number(report.openedAt) + 3_600_000 } })).toBe(422)
  expect(await send({ uid: 'somebody-else' })).toBe(403)
  expect(await send({ openedAt: Number(report.openedAt) - 3_600_000 })).toBe(403)
  expect(await send({}, { address: `/Learn/${course}/how-a-for-loop-walks` })).toBe(403)
  const stranger = await playwright.request.newContext({ baseURL })
  expect(await send({}, { request: stranger })).toBe(401)
  expect(
    (
      await page.request.post(`${video}/progress`, { data: report, headers: { Origin: 'https://evil.example' } })
    ).status(),
  ).toBe(403)
  await stranger.dispose()
  await page.reload()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
})

test('a heart keeps a course for later, on the profile, too; a visitor is led to the login', async ({ page }) => {
  await page.goto('/AllCourses')
  const heart = page.getByRole('button', { name: 'Wish list: Python from Zero' })
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await heart.click()
  await expect(page).toHaveURL(/\/Login\?from=%2FAllCourses/)
  await signUpNewLearner(page)
  await page.goto('/AllCourses')
  await expect(
    page
      .getByRole('button', { name: 'Ada' })
      .or(page.getByText('Ada', { exact: true }))
      .first(),
  ).toBeVisible()
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/Wishes') && response.request().method() === 'POST',
  )
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await answered
  await page.goto(`/OneCourse/${course}`)
  await expect(page.getByText('On your wish list')).toBeVisible()
  await page.goto('/Profile/current-courses')
  await expect(
    page.getByRole('region', { name: /Wish list/ }).getByRole('link', { name: 'Python from Zero' }),
  ).toBeVisible()
})

test('only the lesson screen loads the script of the player', async ({ page }) => {
  const scripts: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) scripts.push(await response.text().catch(() => ''))
  })
  for (const path of ['/', '/AllCourses', `/OneCourse/${course}`]) await page.goto(path, { waitUntil: 'networkidle' })
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.some((script) => script.includes('Keyboard shortcuts'))).toBe(false)
})

test('lessons have no accessibility problem in both themes', async ({ page }) => {
  test.setTimeout(90_000)
  const { AxeBuilder } = await import('@axe-core/playwright')
  await newLearner(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const lesson of lessons.slice(0, 3)) {
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        await open(page, `/Learn/${course}/${lesson}`)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id, nodes }) => `${lesson} ${width} ${id}: ${nodes[0]?.html}`)).toEqual([])
      }
    }
  }
})
