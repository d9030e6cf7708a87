import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/browser'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const panel = (page: Page) => page.getByRole('tabpanel')
const previewLink = (page: Page) => page.getByRole('link', { name: /From an Address to a Page/ })

async function expectTexts(part: Locator, texts: readonly string[]) {
  for (const text of texts) {
    await expect(part).toContainText(text)
  }
}

test('/OneCourse is the sample: its price, label, length and what it includes', async ({
  page,
}) => {
  await page.goto('/OneCourse')

  await expect(page).toHaveTitle('The Complete Web Development Bootcamp · Learnify')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'The Complete Web Development Bootcamp',
  )
  await expectTexts(page.getByRole('main'), [
    'From your first HTML file to a tested, deployed application',
    'Sofia Lindqvist',
    '4.8',
    '(12,453 reviews)',
    '45,230 students',
    '65 hours in 180 lectures',
    'Beginner',
    'Technology',
    'English',
    'Last updated October 12, 2026',
    '$199',
    '$299',
    '33% off',
    '15 downloadable resources',
    'Lifetime access',
    'Certificate of completion',
  ])
})

test('the four tabs show everything that a course has', async ({ page }) => {
  await page.goto('/OneCourse')
  await expect(page.getByRole('tab')).toHaveText([
    'Overview',
    'Curriculum',
    'Instructor',
    'Reviews',
  ])
  await expectTexts(panel(page), [
    'Most people learn web development in fragments',
    'Write HTML that search engines',
    'Semantic HTML',
    'A current web browser',
  ])

  await tab(page, 'Curriculum').click()
  await expect(page).toHaveURL('/OneCourse?tab=curriculum')
  await expectTexts(panel(page), ['4 sections · 180 lectures · 65 hours', 'aren’t ready yet'])

  const sections = panel(page).locator('details')
  await expect(sections).toHaveCount(4)
  await expect(sections.first()).toContainText('38 lectures · 13 h')
  await expect(sections.nth(1)).not.toHaveAttribute('open')

  await sections.nth(1).locator('summary').click()
  await expect(sections.nth(1).getByText('How Wide Is a Box?')).toBeVisible()

  await page.getByRole('button', { name: 'Expand all sections' }).click()
  await expect(panel(page).locator('details[open]')).toHaveCount(4)
  // Only the preview lessons that have a video can be opened.
  await expect(panel(page).getByRole('link')).toHaveCount(2)
  await expect(panel(page).getByText('Links and Paths')).toBeVisible()

  await page.getByRole('button', { name: 'Collapse all sections' }).click()
  await expect(panel(page).locator('details[open]')).toHaveCount(0)

  await tab(page, 'Instructor').click()
  await expectTexts(panel(page), [
    'Sofia Lindqvist',
    'Web developer and teacher',
    '14 years building',
    '61,800 students',
    '3 courses',
    '4.8',
    'Sofia has built',
  ])

  await tab(page, 'Reviews').click()
  const reviews = panel(page).getByRole('article')
  await expect(reviews).toHaveCount(6)
  await expectTexts(reviews.first(), [
    'Yusuf Demir',
    'October 28, 2026',
    'What helped was the order.',
    '214 learners found this helpful',
  ])
  await expect(reviews.last()).toContainText('No comment provided')
})

test('tabs have URLs: sharing, reload and back show the same one, without a request for data', async ({
  page,
}) => {
  const dataRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('.data')) {
      dataRequests.push(request.url())
    }
  })

  await page.goto('/OneCourse/python-from-zero?tab=reviews')
  await expect(tab(page, 'Reviews')).toHaveAttribute('aria-selected', 'true')

  await tab(page, 'Instructor').click()
  await expect(page).toHaveURL('/OneCourse/python-from-zero?tab=instructor')

  await page.reload()
  await expect(tab(page, 'Instructor')).toHaveAttribute('aria-selected', 'true')

  await tab(page, 'Overview').click()
  await expect(page).toHaveURL('/OneCourse/python-from-zero')
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true')

  await page.goBack()
  await expect(tab(page, 'Instructor')).toHaveAttribute('aria-selected', 'true')

  await page.goBack()
  await expect(tab(page, 'Reviews')).toHaveAttribute('aria-selected', 'true')
  expect(dataRequests).toEqual([])
})

test('tabs follow the ARIA pattern: one stop, arrows, Home and End', async ({ page }) => {
  await page.goto('/OneCourse')
  await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1)

  await tab(page, 'Overview').focus()

  for (const [key, name] of [
    ['ArrowRight', 'Curriculum'],
    ['End', 'Reviews'],
    ['ArrowRight', 'Overview'],
    ['ArrowLeft', 'Reviews'],
    ['Home', 'Overview'],
  ] as const) {
    await page.keyboard.press(key)

    await expect(tab(page, name)).toBeFocused()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
    const namedPanel = page.getByRole('tabpanel', { name })
    await expect(namedPanel).toBeVisible()
    const panelId = await namedPanel.getAttribute('id')
    await expect(tab(page, name)).toHaveAttribute('aria-controls', String(panelId))
  }
})

test('a preview plays in a dialog, with captions and a sentence for old browsers, and closes in three ways', async ({
  page,
}) => {
  const dialog = page.getByRole('dialog', { name: 'From an Address to a Page' })
  const video = dialog.locator('video')
  await page.goto('/OneCourse?tab=curriculum')
  await previewLink(page).click()

  await expect(video).toHaveAttribute('controls')
  await expect(video).toContainText('Your browser does not support the video tag.')
  await expect(video.locator('source').nth(0)).toHaveAttribute('type', 'video/webm')
  await expect(video.locator('source').nth(1)).toHaveAttribute('type', 'video/mp4')
  await expect(video.locator('track[kind=captions]')).toHaveAttribute('srclang', 'en')

  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.textTracks[0]?.cues?.length))
    .toBeGreaterThan(0)
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0)
  await dialog.getByRole('heading').click()
  await expect(dialog).toBeVisible()

  const closeButton = page.getByRole('button', { name: 'Close' })
  await expectToClose(page, () => closeButton.click())

  await previewLink(page).click()
  const clickOnOverlay = () => page.mouse.click(8, 8)
  await expectToClose(page, clickOnOverlay)

  await previewLink(page).click()
  await expectToClose(page, () => page.keyboard.press('Escape'))
})

/** Closes the dialog of a preview and expects that its video stops and the focus returns. */
async function expectToClose(page: Page, close: () => Promise<void>) {
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  const video = await dialog.locator('video').elementHandle()

  await close()

  await expect(dialog).toHaveCount(0)
  // The browser stops a video a moment after it was removed from the page.
  await expect
    .poll(() => video?.evaluate((element) => (element as HTMLVideoElement).paused))
    .toBe(true)
  await expect(previewLink(page)).toBeFocused()
}

test('every course of the catalog has a page of its own', async ({ request }) => {
  const catalog = await (await request.get('/AllCourses')).text()
  const cards = catalog.match(/<article.*?<\/article>/gs) ?? []
  const courseUrls = cards.map((card) => /href="(\/OneCourse[\w/-]*)"/.exec(card)?.[1])
  expect(new Set(courseUrls).size).toBe(12)

  const titles = new Set<string | undefined>()
  for (const url of courseUrls) {
    const curriculumPage = await (await request.get(`${url}?tab=curriculum`)).text()
    titles.add(/<h1[^>]*>([^<]+)/.exec(curriculumPage)?.[1])
    expect(curriculumPage.match(/<details/g)?.length).toBeGreaterThan(1)
    const reviewsPage = await (await request.get(`${url}?tab=reviews`)).text()
    expect(reviewsPage).toContain('found this helpful')
  }
  expect(titles.size).toBe(12)
})

test('an unknown course has status 404 and leads to the catalog', async ({ request }) => {
  const response = await request.get('/OneCourse/no-such-course')
  const body = await response.text()

  expect(response.status()).toBe(404)
  expect(response.headers()['cache-control']).not.toContain('public')
  expect(body).toMatch(/<h1[^>]*>Course not found</)
  expect(body).toMatch(/<meta name="robots" content="noindex"/)
  expect(body).toMatch(/<a [^>]*href="\/AllCourses"[^>]*>See all courses</)
})

test('a course tells search engines what it is', async ({ request }) => {
  const response = await request.get('/OneCourse/machine-learning-foundations?tab=reviews')
  const body = await response.text()

  const jsonTexts = [
    ...body.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs),
  ]
  const [course, breadcrumbs] = jsonTexts.map(([, json = '']) => JSON.parse(json))

  expect(course).toMatchObject({
    '@type': 'Course',
    name: 'Machine Learning Foundations',
    offers: { price: '249.00' },
  })
  expect(breadcrumbs.itemListElement.map(({ name }: { name: string }) => name)).toEqual([
    'All courses',
    'Technology',
    'Machine Learning Foundations',
  ])
  expect(body).toMatch(
    /<link rel="canonical" href="[^"]*\/OneCourse\/machine-learning-foundations"/,
  )
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('tabs are links, sections open, previews lead to the video', async ({ page }) => {
    await page.goto('/OneCourse')
    await tab(page, 'Curriculum').click()
    await expect(page).toHaveURL('/OneCourse?tab=curriculum')
    await expect(previewLink(page)).toBeVisible()

    await panel(page).locator('summary').nth(1).click()
    await expect(page.getByText('How Wide Is a Box?')).toBeVisible()
    await expect(previewLink(page)).toHaveAttribute('href', /\.mp4$/)
  })
})
