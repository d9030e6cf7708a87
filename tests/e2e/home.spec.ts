import type { Locator } from '@playwright/test'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'

const heroText = 'Learn whatever you want, whenever you want, however you want.'

test('the home page has every section of the specification', async ({ page, baseURL }) => {
  await page.goto('/')

  await expectLinks(page.getByRole('navigation', { name: 'Main' }), [
    ['Home', '/'],
    ['Courses', '/AllCourses'],
    ['Login', '/Login'],
    ['Sign Up', '/SignUp'],
  ])

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heroText)
  await expectLinks(page.getByRole('region', { name: heroText }), [
    ['Browse all courses', '/AllCourses'],
    ['See a sample course', '/OneCourse'],
  ])

  const numbers = page.getByRole('region', { name: 'Learnify by the numbers' })
  await expect(numbers.locator('dd')).toHaveText(['10,000+', '500+', '95%', '25K+', '160+', '15+'])
  await expect(numbers.locator('dt')).toHaveText([
    'active students',
    'expert courses',
    'success rate',
    'certificates',
    'fields',
    'languages',
  ])

  const features = page.getByRole('region', { name: 'Learning that fits around your life' })
  await expect(features.getByRole('listitem')).toHaveCount(6)
  await expect(features.getByRole('heading', { level: 3 })).toHaveCount(6)

  const categories = page.getByRole('region', { name: 'Start with what makes you curious' })
  await expect(categories.getByRole('listitem')).toHaveCount(8)
  await expectLinks(categories, [
    ['Programming 120+ courses', '/AllCourses?category=technology'],
    ['Design 85+ courses', '/AllCourses?category=design'],
    ['Business 95+ courses', '/AllCourses?category=business'],
    ['Marketing 65+ courses', '/AllCourses?category=marketing'],
    ['Science 75+ courses', '/AllCourses'],
    ['Music 40+ courses', '/AllCourses'],
    ['Health & Fitness 55+ courses', '/AllCourses'],
    ['Photography 35+ courses', '/AllCourses?category=photography'],
  ])

  const testimonials = page.getByRole('region', { name: 'What learners say' }).getByRole('group')
  await expect(testimonials).toHaveCount(8)

  for (const testimonial of await testimonials.all()) {
    await expect(testimonial.getByRole('img', { name: /^Rated \d out of 5$/ })).toHaveCount(1)
    await expect(testimonial.locator('blockquote')).not.toBeEmpty()
    await expect(testimonial.locator('figcaption')).not.toBeEmpty()
  }

  await expectLinks(page.getByRole('region', { name: 'The best time to start is now.' }), [
    ['Find your course', '/AllCourses'],
    ['Teach on Learnify', '/Instructor'],
  ])

  await expectLinks(page.getByRole('contentinfo'), [
    ['About', '#'],
    ['Help', '#'],
    ['Teaching guide', '#'],
    ['Community', '#'],
  ])

  await expect(page).toHaveTitle(/ · Learnify$/)
  await expect(page.locator('meta[name=description]')).toHaveAttribute(
    'content',
    /^Learn whatever you want/,
  )
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${baseURL}/`)
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute(
    'content',
    `${baseURL}/og.png`,
  )
})

test('the home page leads to the catalog, the sample course, the instructor page and the terms', async ({
  page,
}) => {
  await page.goto('/')

  await page.getByRole('link', { name: 'Photography 35+ courses' }).click()
  await expect(page).toHaveURL('/AllCourses?category=photography')
  await expect(page.getByLabel('Category')).toHaveValue('photography')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: 'Teach on Learnify' }).click()
  await expect(page.getByText('Coming soon', { exact: true })).toBeVisible()

  await page.getByRole('main').getByRole('link', { name: 'See a complete course' }).click()
  await expect(page).toHaveURL('/OneCourse')

  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms and conditions')

  await page.getByRole('main').getByRole('link', { name: 'privacy policy' }).click()
  await expect(page).toHaveURL('/Privacy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy')
  await expect(page.getByRole('heading', { name: 'What we store' })).toBeVisible()
})

test('on a phone, the top bar is a menu that closes when a link is followed', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(bar).toBeHidden()

  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(bar.getByRole('link', { name: 'Sign Up' })).toBeVisible()

  await bar.getByRole('link', { name: 'Courses', exact: true }).click()

  await expect(page).toHaveURL('/AllCourses')
  await expect(bar).toBeHidden()
})

test('the theme button switches between light and dark, and the choice outlasts a reload', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await waitForHydration(page)
  const root = page.locator('html')
  const button = page.getByRole('button', { name: 'Switch between light and dark' })

  await button.click()
  await expect(root).toHaveAttribute('data-theme', 'dark')

  await button.click()
  await expect(root).toHaveAttribute('data-theme', 'light')

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await expect(root).toHaveAttribute('data-theme', 'light')
})

test('a server that does not respond gets a message of its own, which does not mention lessons', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED|Failed to fetch/)
  await page.goto('/')
  await page.route('**/*.data*', (route) => route.abort())

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Courses', exact: true })
    .click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We can’t reach Learnify')
  await expect(page).toHaveTitle('We can’t reach Learnify · Learnify')
  await expect(page.getByRole('main')).not.toContainText('lesson')
})

test('an unknown path shows the home page with status 404, and search engines are told not to keep it', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404/)
  for (const path of ['/nowhere', '/some/deep/path', '/index.php']) {
    const response = await page.request.get(path)
    expect(response.status(), path).toBe(404)
    expect(response.headers()['cache-control'], path).toBe('no-store')
  }

  await page.goto('/some/deep/path')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heroText)
  await expect(
    page.getByText('We couldn’t find that page. Here’s the home page instead.'),
  ).toBeVisible()
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expect(page.locator('link[rel=canonical]')).toHaveCount(0)
})

test('robots.txt names the sitemap, and the sitemap every public page and course', async ({
  request,
  baseURL,
}) => {
  const listLocations = async (url: string) => {
    const response = await request.get(url)
    expect(response.headers()['content-type']).toContain('application/xml')

    return [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, location = '']) => location,
    )
  }

  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  expect(robots).toContain('Disallow: /Profile')

  const sitemaps = await listLocations('/sitemap.xml')
  const urls = (await Promise.all(sitemaps.map(listLocations))).flat()
  expect(urls).toEqual(
    expect.arrayContaining([`${baseURL}/`, `${baseURL}/AllCourses`, `${baseURL}/Instructor`]),
  )
  expect(urls.filter((url) => url.includes('/OneCourse/'))).toHaveLength(12)
  expect((await request.get('/Sitemap/zzz-none.xml')).status()).toBe(404)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('everything on the home page can be read, and the testimonials scroll sideways', async ({
    page,
  }) => {
    await page.goto('/')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heroText)

    const slider = page.getByRole('region', { name: 'What learners say' })
    await expect(slider.getByRole('group')).toHaveCount(8)
    await expect(slider.getByRole('button')).toHaveCount(0)

    const scroller = slider.locator(':scope > div').last()
    await expect(scroller).toHaveCSS('overflow-x', 'auto')

    await expect
      .poll(() => scroller.evaluate((element) => element.scrollWidth - element.clientWidth))
      .toBeGreaterThan(1000)

    await page.getByRole('link', { name: 'Photography 35+ courses' }).click()
    await expect(page).toHaveURL('/AllCourses?category=photography')
  })
})

type Link = [name: string, path: string]

async function expectLinks(container: Locator, links: readonly Link[]): Promise<void> {
  for (const [name, path] of links) {
    const link = container.getByRole('link', { name, exact: true })
    await expect(link, name).toHaveAttribute('href', path)
  }
}
