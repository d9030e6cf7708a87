import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'

const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const panel = (page: Page) => page.getByRole('tabpanel')
const enroll = (page: Page) => page.getByRole('button', { name: 'Enroll Now' })
const previewLink = (page: Page) => page.getByRole('link', { name: /From an Address to a Page/ })

test('/OneCourse is the sample: its price, label, length and what it includes', async ({
  page,
}) => {
  await page.goto('/OneCourse')
  await expect(page).toHaveTitle('The Complete Web Development Bootcamp · Learnify')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(
    'The Complete Web Development Bootcamp',
  )
  for (const text of [
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
  ]) {
    await expect(main).toContainText(text)
  }
})

test('the four tabs show everything that a course has', async ({ page }) => {
  await page.goto('/OneCourse')
  await expect(page.getByRole('tab')).toHaveText([
    'Overview',
    'Curriculum',
    'Instructor',
    'Reviews',
  ])

  for (const text of [
    'Most people learn web development in fragments',
    'Write HTML that search engines',
    'Semantic HTML',
    'A current web browser',
  ]) {
    await expect(panel(page)).toContainText(text)
  }

  await tab(page, 'Curriculum').click()
  await expect(page).toHaveURL('/OneCourse?tab=curriculum')
  await expect(panel(page)).toContainText('4 sections · 180 lectures · 65 hours')
  await expect(panel(page).locator('summary')).toHaveCount(4)
  await expect(panel(page).locator('summary').first()).toContainText('38 lectures · 13 h')
  await expect(panel(page)).toContainText('aren’t ready yet')

  await tab(page, 'Instructor').click()
  for (const text of [
    'Sofia Lindqvist',
    'Web developer and teacher',
    '14 years building',
    '61,800 students',
    '3 courses',
    '4.8',
    'Sofia has built',
  ]) {
    await expect(panel(page)).toContainText(text)
  }

  await tab(page, 'Reviews').click()
  await expect(panel(page).getByRole('article')).toHaveCount(6)
  const first = panel(page).getByRole('article').first()
  for (const text of [
    'Yusuf Demir',
    'October 28, 2026',
    'What helped was the order.',
    '214 learners found this helpful',
  ]) {
    await expect(first).toContainText(text)
  }

  await expect(panel(page).getByRole('article').last()).toContainText('No comment provided')
})

test('every course of the catalog has a page of its own', async ({ page, request }) => {
  await page.goto('/AllCourses')
  const links = await page.getByRole('main').getByRole('article').getByRole('link').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  expect(addresses).toHaveLength(12)
  const titles = new Set<string>()
  for (const address of addresses) {
    const curriculum = await (await request.get(`${address}?tab=curriculum`)).text()
    titles.add(/<h1[^>]*>([^<]+)/.exec(curriculum)?.[1] ?? '')
    expect(curriculum.match(/<details/g)?.length).toBeGreaterThan(1)
    expect(await (await request.get(`${address}?tab=reviews`)).text()).toContain(
      'found this helpful',
    )
  }

  expect(titles.size).toBe(12)
})

test('tabs have addresses: sharing, reload and back show the same one', async ({ page }) => {
  await page.goto('/OneCourse/python-from-zero?tab=reviews')
  await expect(tab(page, 'Reviews')).toHaveAttribute('aria-selected', 'true')
  await tab(page, 'Instructor').click()
  await expect(page).toHaveURL('/OneCourse/python-from-zero?tab=instructor')
  await page.reload()
  await expect(tab(page, 'Instructor')).toHaveAttribute('aria-selected', 'true')
  await tab(page, 'Overview').click()
  await expect(page).toHaveURL('/OneCourse/python-from-zero')
  await page.goBack()
  await expect(tab(page, 'Instructor')).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(tab(page, 'Reviews')).toHaveAttribute('aria-selected', 'true')
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
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
    await expect(tab(page, name)).toHaveAttribute(
      'aria-controls',
      (await panel(page).getAttribute('id')) ?? '',
    )
  }
})

test('another tab needs no request', async ({ page }) => {
  await page.goto('/OneCourse')
  await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await tab(page, 'Instructor').click()
  await expect(panel(page)).toContainText('Sofia has built')
  expect(requests.filter((address) => address.includes('.data'))).toEqual([])
})

test('sections open and close', async ({ page }) => {
  await page.goto('/OneCourse?tab=curriculum')
  const second = panel(page).locator('details').nth(1)
  await expect(second).not.toHaveAttribute('open')
  await second.locator('summary').click()
  await expect(second.getByText('How Wide Is a Box?')).toBeVisible()
  await page.getByRole('button', { name: 'Expand all sections' }).click()
  await expect(panel(page).locator('details[open]')).toHaveCount(4)
  await page.getByRole('button', { name: 'Collapse all sections' }).click()
  await expect(panel(page).locator('details[open]')).toHaveCount(0)
})

test.describe('a preview lesson', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/OneCourse?tab=curriculum')
    await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1)
    await previewLink(page).click()
    await expect(page.getByRole('dialog', { name: 'From an Address to a Page' })).toBeVisible()
  })

  test('plays in a dialog, with captions and a sentence for old browsers', async ({ page }) => {
    const video = page.getByRole('dialog').locator('video')
    await expect(video).toHaveAttribute('controls')
    await expect(video).toContainText('Your browser does not support the video tag.')
    const types = await video
      .locator('source')
      .evaluateAll((sources) => sources.map((source) => source.getAttribute('type')))
    expect(types).toEqual(['video/webm', 'video/mp4'])
    await expect(video.locator('track[kind=captions]')).toHaveAttribute('srclang', 'en')
    await expect
      .poll(() =>
        video.evaluate((element: HTMLVideoElement) => element.textTracks[0]?.cues?.length ?? 0),
      )
      .toBeGreaterThan(0)

    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
      .toBeGreaterThan(0)
  })

  for (const [way, close] of [
    ['the close button', (page: Page) => page.getByRole('button', { name: 'Close' }).click()],
    ['a click on the overlay', (page: Page) => page.mouse.click(8, 8)],
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ] as const) {
    test(`closes by ${way}; the video stops and the focus returns`, async ({ page }) => {
      const video = await page.locator('video').elementHandle()
      await close(page)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      // A browser stops a film that left the page a moment later.
      await expect
        .poll(() => video?.evaluate((element) => (element as HTMLVideoElement).paused))
        .toBe(true)
      await expect(previewLink(page)).toBeFocused()
    })
  }

  test('stays open for a click inside', async ({ page }) => {
    await page.getByRole('dialog').getByRole('heading').click()
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})

test('only preview lessons with a video can be opened', async ({ page }) => {
  await page.goto('/OneCourse?tab=curriculum')
  await page.getByRole('button', { name: 'Expand all sections' }).click()
  await expect(panel(page).getByRole('link')).toHaveCount(2)
  await expect(panel(page).getByText('Links and Paths')).toBeVisible()
})

test('an unknown course answers 404 and offers the catalog', async ({ page, guard }) => {
  guard.allowConsoleError(/404/)
  const response = await page.goto('/OneCourse/no-such-course')
  expect(response?.status()).toBe(404)
  expect(response?.headers()['cache-control']).not.toContain('public')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Course not found')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await page.getByRole('link', { name: 'See all courses' }).click()
  await expect(page).toHaveURL('/AllCourses')
})

test('tells search engines what it is', async ({ page }) => {
  await page.goto('/OneCourse/machine-learning-foundations?tab=reviews')
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  const [course, breadcrumbs] = data.map((text) => JSON.parse(text))
  expect(breadcrumbs.itemListElement.map(({ name }: { name: string }) => name)).toEqual([
    'All courses',
    'Technology',
    'Machine Learning Foundations',
  ])

  expect(course).toMatchObject({
    '@type': 'Course',
    name: 'Machine Learning Foundations',
    offers: { price: '249.00' },
  })

  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    /\/OneCourse\/machine-learning-foundations$/,
  )
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('tabs are links, sections open, previews lead to the film', async ({ page }) => {
    await page.goto('/OneCourse')
    await tab(page, 'Curriculum').click()
    await expect(page).toHaveURL('/OneCourse?tab=curriculum')
    await expect(previewLink(page)).toBeVisible()
    await panel(page).locator('summary').nth(1).click()
    await expect(page.getByText('How Wide Is a Box?')).toBeVisible()
    await expect(previewLink(page)).toHaveAttribute('href', /\.mp4$/)
  })
})

test('a phone has price and button in view, and nothing wider than the screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/OneCourse')
  await expect(enroll(page)).toBeInViewport()
  for (const name of ['Overview', 'Curriculum', 'Instructor', 'Reviews']) {
    await tab(page, name).click()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
    await expect(enroll(page)).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  }
})

test('what a phone has of the page stays where it is when the rest comes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const whole = await (await page.request.get('/OneCourse')).text()
  const header = whole.indexOf('</header>', whole.indexOf('<h1'))
  const cover = whole.indexOf('<img', whole.indexOf('<aside'))
  const headingOf = async (body: string) => {
    await page.route('/OneCourse', (route) => route.fulfill({ body, contentType: 'text/html' }))
    await page.goto('/OneCourse')

    return page
      .getByRole('heading', { level: 1 })
      .evaluate((heading) => heading.getBoundingClientRect().top)
  }
  const top = await headingOf(whole)
  expect(header).toBeGreaterThan(0)
  expect(cover).toBeGreaterThan(header)
  for (const end of [header, cover]) {
    expect(await headingOf(whole.slice(0, end))).toBeCloseTo(top)
  }
})
