import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'

const heroText = 'Learn whatever you want, whenever you want, however you want.'

test.describe('the home page', () => {
  test('the top bar leads to Home, Courses, Login and Sign Up', async ({ page }) => {
    await page.goto('/')
    const bar = page.getByRole('navigation', { name: 'Main' })
    for (const [name, path] of [
      ['Home', '/'],
      ['Courses', '/AllCourses'],
      ['Login', '/Login'],
      ['Sign Up', '/SignUp'],
    ] as const) {
      await expect(bar.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
    }
  })

  test('on a phone the same links stand in a menu, which a choice closes', async ({ page }) => {
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

  test('the hero says what Learnify is for, with buttons to the catalog and the sample course', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heroText)
    const hero = page.getByRole('region', { name: heroText })
    await expect(hero.getByRole('link', { name: 'Browse all courses' })).toHaveAttribute(
      'href',
      '/AllCourses',
    )
    await hero.getByRole('link', { name: 'See a sample course' }).click()
    await expect(page).toHaveURL('/OneCourse')
  })

  test('the grid shows the six numbers', async ({ page }) => {
    await page.goto('/')
    const pairs = await page
      .getByRole('region', { name: 'Learnify by the numbers' })
      .locator('dl > div')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [row.querySelector('dd'), row.querySelector('dt')].map((cell) => cell?.textContent),
        ),
      )

    expect(pairs).toEqual([
      ['10,000+', 'active students'],
      ['500+', 'expert courses'],
      ['95%', 'success rate'],
      ['25K+', 'certificates'],
      ['160+', 'fields'],
      ['15+', 'languages'],
    ])
  })

  test('six cards say what Learnify does', async ({ page }) => {
    await page.goto('/')
    const features = page.getByRole('region', { name: 'Learning that fits around your life' })
    await expect(features.getByRole('listitem')).toHaveCount(6)
    await expect(features.getByRole('heading', { level: 3 })).toHaveCount(6)
  })

  test('eight category cards show their counts and lead to their part of the catalog, or to all of it', async ({
    page,
  }) => {
    await page.goto('/')
    const cards = page
      .getByRole('region', { name: 'Start with what makes you curious' })
      .getByRole('listitem')
    const shown = await cards.getByRole('link').evaluateAll((links) =>
      links.map((link) => [
        // biome-ignore lint/performance/useDomNodeTextContent: innerText has the line breaks of the layout.
        (link as HTMLElement).innerText.replace(/\s+/g, ' '),
        link.getAttribute('href'),
      ]),
    )

    expect(shown).toEqual([
      ['Programming 120+ courses', '/AllCourses?category=technology'],
      ['Design 85+ courses', '/AllCourses?category=design'],
      ['Business 95+ courses', '/AllCourses?category=business'],
      ['Marketing 65+ courses', '/AllCourses?category=marketing'],
      ['Science 75+ courses', '/AllCourses'],
      ['Music 40+ courses', '/AllCourses'],
      ['Health & Fitness 55+ courses', '/AllCourses'],
      ['Photography 35+ courses', '/AllCourses?category=photography'],
    ])

    await cards.getByRole('link', { name: 'Photography' }).click()
    await expect(page).toHaveURL('/AllCourses?category=photography')
    await expect(page.getByLabel('Category')).toHaveValue('photography')
  })

  test('the call to action leads to the catalog and to the instructor page', async ({ page }) => {
    await page.goto('/')
    const call = page.getByRole('region', { name: 'The best time to start is now.' })
    await expect(call.getByRole('link', { name: 'Find your course' })).toHaveAttribute(
      'href',
      '/AllCourses',
    )
    await expect(call.getByRole('link', { name: 'Teach on Learnify' })).toHaveAttribute(
      'href',
      '/Instructor',
    )
  })

  test('the footer has placeholder anchors for pages that do not exist yet', async ({ page }) => {
    await page.goto('/')
    const footer = page.getByRole('contentinfo')
    for (const name of ['About', 'Help', 'Teaching guide', 'Community']) {
      await expect(footer.getByRole('link', { name })).toHaveAttribute('href', '#')
    }
  })

  test("the footer leads to the operator's terms and privacy policy", async ({ page }) => {
    await page.goto('/')
    const footer = page.getByRole('contentinfo')
    await footer.getByRole('link', { name: 'Terms' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms and conditions')
    await page.getByRole('main').getByRole('link', { name: 'privacy policy' }).click()
    await expect(page).toHaveURL('/Privacy')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy')
    await expect(page.getByRole('heading', { name: 'What we store' })).toBeVisible()
  })

  test('without a script everything can be read, and the testimonials scroll sideways', async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heroText)
    const slider = page.getByRole('region', { name: 'What learners say' })
    await expect(slider.getByRole('group')).toHaveCount(8)
    await expect(slider.getByRole('button')).toHaveCount(0)
    const scroller = slider.locator(':scope > div').last()
    await expect(scroller).toHaveCSS('overflow-x', 'auto')
    expect(
      await scroller.evaluate((element) => element.scrollWidth - element.clientWidth),
    ).toBeGreaterThan(1000)
    await page.getByRole('link', { name: 'Photography 35+ courses' }).click()
    await expect(page).toHaveURL('/AllCourses?category=photography')
    await context.close()
  })

  test('search engines get a title, a description, a canonical address and a picture', async ({
    page,
    baseURL,
  }) => {
    await page.goto('/')
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
})

test.describe('other addresses', () => {
  test('a server that does not answer is called that, without words about lessons', async ({
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
      const response = await page.goto(path)
      expect(response?.status()).toBe(404)
      expect(response?.headers()['cache-control']).toBe('no-store')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heroText)
      await expect(
        page.getByText('We couldn’t find that page. Here’s the home page instead.'),
      ).toBeVisible()
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
      await expect(page.locator('link[rel=canonical]')).toHaveCount(0)
    }
  })

  test('the theme turns at a press, turns back at another, and stays', async ({ page }) => {
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

  test('the instructor page says that it is coming soon and offers a way on', async ({ page }) => {
    const response = await page.goto('/Instructor')
    expect(response?.status()).toBe(200)
    await expect(page.getByText('Coming soon', { exact: true })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'See a complete course' }).click()
    await expect(page).toHaveURL('/OneCourse')
  })

  test('robots.txt names the sitemap, and the sitemap every public page and course', async ({
    request,
    baseURL,
  }) => {
    const robots = await (await request.get('/robots.txt')).text()
    expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
    expect(robots).toContain('Disallow: /Profile')
    const locations = async (address: string) => {
      const response = await request.get(address)
      expect(response.headers()['content-type']).toContain('application/xml')

      return [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
        ([, location = '']) => location,
      )
    }
    const lists = await locations('/sitemap.xml')
    const addresses = (await Promise.all(lists.map(locations))).flat()
    expect(addresses).toEqual(
      expect.arrayContaining([`${baseURL}/`, `${baseURL}/AllCourses`, `${baseURL}/Instructor`]),
    )
    expect(addresses.filter((address) => address.includes('/OneCourse/'))).toHaveLength(12)
    expect((await request.get('/Sitemap/zzz-none.xml')).status()).toBe(404)
  })
})
