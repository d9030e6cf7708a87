import type { Page } from '@playwright/test'
import { expectAccessible, expectToFit } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { waitForHydration } from '../support/hydration'

const searchField = (page: Page) => page.getByRole('combobox', { name: 'Search Learnify' })
const count = (page: Page) => page.getByRole('status')
const sheet = (page: Page) => page.getByRole('region', { name: 'Filters' })
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('link')

test('the field on every page suggests, and is complete by keyboard', async ({ page }) => {
  await page.goto('/Login')
  await waitForHydration(page)
  await searchField(page).pressSequentially('pyt')
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
  await expect(options.first()).toHaveText('Python from Zero')
  await expect(options.first().locator('mark')).toHaveText('Pyt')
  await expect(page.getByText(/^\d suggestions\. Use the arrow keys\.$/)).toBeAttached()
  await expect(searchField(page)).toHaveAttribute('aria-expanded', 'true')

  const selectedOption = () => page.locator('[role=option][aria-selected=true]')
  await page.keyboard.press('ArrowDown')
  await expect(selectedOption()).toHaveText('Python from Zero')
  await expect(searchField(page)).toHaveAttribute(
    'aria-activedescendant',
    (await selectedOption().getAttribute('id')) ?? '',
  )

  await page.keyboard.press('End')
  await expect(selectedOption()).toContainText('python')

  await page.keyboard.press('Home')
  await expect(searchField(page)).toBeFocused()

  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(searchField(page)).toHaveValue('pyt')

  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toBeVisible()

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/OneCourse/python-from-zero')
  await expect(searchField(page)).toHaveAttribute('aria-expanded', 'false')
})

test('the pointer selects no suggestion, Tab leads past the list, and a selection ends when the text changes', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto('/AllCourses')
  await waitForHydration(page)
  const search = page.getByRole('combobox', { name: 'Search courses' })
  const list = page.getByRole('listbox', { name: 'Suggestions' })
  const options = list.getByRole('option')
  const selectedOption = page.locator('[role=option][aria-selected=true]')

  await search.pressSequentially('de')
  await expect.poll(() => list.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true)

  await options.nth(1).hover()
  await expect(selectedOption).toHaveCount(0)

  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Category' })).toBeFocused()
  await expect(list).toBeHidden()

  // The browser selects the whole text, so that the next letter replaces it.
  await page.keyboard.press('Shift+Tab')
  await expect(search).toBeFocused()

  await page.keyboard.press('ArrowDown')
  await expect(list).toBeVisible()

  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')

  await delayRequests(page, '**/Suggestions*')
  await page.keyboard.type('p')
  await expect(selectedOption).toHaveCount(0)
  await expect(search).not.toHaveAttribute('aria-activedescendant')

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/AllCourses?q=p')
})

for (const isSubmitted of [false, true]) {
  test(`suggestions whose script is late ${isSubmitted ? 'stay away once the search is submitted' : 'appear all the same'}`, async ({
    page,
  }) => {
    const deliverScript = await delayRequests(page, '**/suggestion-panel-*.js')
    const search = page.getByRole('combobox', { name: 'Search courses' })
    const list = page.getByRole('listbox', { name: 'Suggestions', includeHidden: true })
    const requestedPaths: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/Suggestions') {
        requestedPaths.push(searchParams.get('q') ?? '')
      }
    })

    await page.goto('/AllCourses')
    await waitForHydration(page)
    await search.fill('pyt')
    if (isSubmitted) {
      await search.press('Enter')
    }

    await expect(page).toHaveURL('/AllCourses?q=pyt')
    await expect(page.getByRole('article').first().locator('mark').first()).toHaveText('Pyt')

    deliverScript()
    await expect(list).toHaveCount(1)

    if (isSubmitted) {
      await search.pressSequentially('h')
    }

    await expect(list.getByRole('option').first()).toHaveText('Python from Zero')
    await expect(list.locator('mark').first()).toHaveText(isSubmitted ? 'Pyth' : 'Pyt')
    expect(requestedPaths).toEqual([isSubmitted ? 'pyth' : 'pyt'])
  })
}

test('on a phone, the filters are a sheet that says what they leave, and each can be removed', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/AllCourses')
  await waitForHydration(page)
  await expect(page.getByRole('article').first().getByRole('heading')).toBeInViewport({ ratio: 1 })

  await page.getByRole('button', { name: 'Filters' }).click()
  const cheap = sheet(page).getByRole('checkbox', { name: /^\$50 to \$100/ })
  await expect(cheap).toHaveAccessibleName('$50 to $100 5 courses')
  await expect(sheet(page).getByRole('checkbox', { name: /^Free/ })).toBeDisabled()

  await cheap.check()
  await expect(count(page)).toHaveText('Showing 5 courses')

  await sheet(page)
    .getByRole('checkbox', { name: /^\$100 to \$150/ })
    .check()
  await expect(count(page)).toHaveText('Showing 9 courses')

  await sheet(page).getByRole('button', { name: 'Show 9 courses' }).click()
  await expect(sheet(page)).toBeHidden()

  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price: low to high')
  await expect(page.getByRole('article').first()).toContainText('$69')
  await expect(page).toHaveURL('/AllCourses?price=100-150&price=50-100&sort=price-up')

  await chips(page).filter({ hasText: '$100 to $150' }).click()
  await expect(count(page)).toHaveText('Showing 5 courses')

  await page.goBack()
  await expect(count(page)).toHaveText('Showing 9 courses')

  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(sheet(page).getByRole('checkbox', { checked: true })).toHaveCount(2)
})

test('the sheet of filters takes the focus, closes when it leaves, and gives it back', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/AllCourses?price=50-100')
  await waitForHydration(page)
  const button = page.getByRole('button', { name: /^Filters/ })
  const heading = sheet(page).getByRole('heading', { name: 'Filters' })
  await button.press('Enter')
  await expect(heading).toBeFocused()

  await sheet(page).getByRole('link', { name: 'Clear all' }).press('Enter')
  await expect(sheet(page).getByRole('button', { name: 'Show 12 courses' })).toBeVisible()
  await expect(heading).toBeFocused()

  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
  await expect(button).toBeFocused()

  await button.press('Enter')
  await expect(heading).toBeFocused()

  await page.keyboard.press('Shift+Tab')
  await expect(sheet(page)).toBeHidden()
  await expect(button).toBeFocused()

  await button.press('Enter')
  await expect(heading).toBeFocused()

  await sheet(page).getByRole('button', { name: 'Show 12 courses' }).press('Tab')
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeFocused()

  await page.setViewportSize({ width: 900, height: 844 })
  await button.click()
  await expect(heading).toBeFocused()

  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
})

test('a link that disappears when it is followed leaves the focus to the number of results', async ({
  page,
}) => {
  const main = page.getByRole('main')
  const follow = async (name: string | RegExp) => {
    const link = main.getByRole('link', { name, exact: true })
    await link.press('Enter')
    await expect(link).toHaveCount(0)
    await expect(count(page)).toBeFocused()
  }

  await page.setViewportSize({ width: 390, height: 400 })
  await page.goto('/AllCourses?price=50-100&price=100-150')
  await waitForHydration(page)
  await chips(page)
    .first()
    .evaluate((chip) => chip.scrollIntoView({ block: 'start' }))
  const scrollTop = await page.evaluate(() => scrollY)
  await follow('Remove $100 to $150')
  expect(await page.evaluate(() => scrollY)).toBe(scrollTop)

  await follow('Clear filters')

  await page.goto('/AllCourses?q=pyton')
  await expect(
    page.getByText('Showing results for python. Search for pyton instead.'),
  ).toBeVisible()
  await expect(page.getByRole('article').first().locator('mark').first()).toHaveText('Python')

  await follow('pyton')
  await expect(page).toHaveURL('/AllCourses?q=pyton&exact=1')
  await expect(page.getByText('No courses found')).toBeVisible()

  await follow('Clear filters')

  await page.goto('/AllCourses?q=python+zzzqqq')
  await expect(page.getByText('No courses found')).toBeVisible()

  await follow('Search for python')
  await expect(page).toHaveURL('/AllCourses?q=python')
  await expect(page.getByRole('article').first()).toContainText('Python from Zero')

  await page.goto('/AllCourses?q=zzzqqq')
  await follow('Design')
  await page.goto('/AllCourses?q=data')
  await follow(/more courses? mentions? it/)

  await page.goto('/OneCourse')
  await main.getByRole('link', { name: 'Sofia Lindqvist' }).click()
  await expect(count(page)).toHaveText('Showing 1 course')
  await expect(page.getByRole('article')).toContainText('The Complete Web Development Bootcamp')

  await follow('Remove Sofia Lindqvist')
  await expect(page).toHaveURL('/AllCourses?q=Sofia+Lindqvist')
})

test('the focus stays on a link until its results arrive, and on a link that opens in another tab', async ({
  page,
}) => {
  await page.goto('/AllCourses?price=50-100')
  await waitForHydration(page)
  const chip = chips(page).first()
  // The browser does not open the other tab, because opening one has failed on a busy machine.
  await page.evaluate(() =>
    addEventListener('click', (event) => event.preventDefault(), { once: true }),
  )
  await chip.press('ControlOrMeta+Enter')
  await expect(chip).toBeFocused()
  await expect(page).toHaveURL('/AllCourses?price=50-100')

  const release = await delayRequests(page, '**/AllCourses.data**')
  await chip.press('Enter')
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toBeVisible()
  await expect(chip).toBeFocused()

  release()
  await expect(count(page)).toBeFocused()
  await expect(count(page)).toHaveText('Showing 12 courses')
})

test('search engines get one address of a list, and its courses', async ({ request, baseURL }) => {
  const html = await (
    await request.get('/AllCourses?level=beginner&sort=newest&category=technology&x=1')
  ).text()
  expect(html).toContain(
    `<link rel="canonical" href="${baseURL}/AllCourses?category=technology&amp;level=beginner"/>`,
  )

  const list = JSON.parse(/<script type="application\/ld\+json"[^>]*>([^<]*)/.exec(html)?.[1] ?? '')
  expect(list.itemListElement[0].url).toBe(`${baseURL}/OneCourse/python-from-zero`)
})

test('the filters stand beside the list on a wide screen, and are accessible like the suggestions', async ({
  page,
}) => {
  await page.goto('/AllCourses?q=pyton&category=technology')
  await waitForHydration(page)
  await expect(searchField(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Filters' })).toBeHidden()

  const filterBox = await sheet(page).boundingBox()
  const cardBox = await page.getByRole('article').first().boundingBox()
  expect((filterBox?.x ?? 0) + (filterBox?.width ?? 0)).toBeLessThan(cardBox?.x ?? 0)

  await page.getByRole('combobox', { name: 'Search courses' }).fill('de')
  await expect(page.getByRole('option', { name: /definition|design/i }).first()).toBeVisible()
  await expectAccessible(page, 'main search')

  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(sheet(page).getByRole('heading', { name: 'Filters' })).toBeFocused()
  await expectAccessible(page, '[aria-labelledby=filter-sheet-title]')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })

  test('search and filters are forms', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open search' }).click()
    await searchField(page).fill('e')
    await searchField(page).press('Enter')
    await expect(page).toHaveURL('/AllCourses?q=e')

    const filtersButton = page.getByRole('button', { name: /^Filters/ })
    await filtersButton.click()
    await sheet(page)
      .getByRole('checkbox', { name: /^\$50 to \$100/ })
      .check()
    await sheet(page).getByRole('button', { name: 'Show courses' }).click()
    await expect(page).toHaveURL('/AllCourses?q=e&category=all&level=all&price=50-100')
    await expect(chips(page)).toHaveText(['Remove $50 to $100'])

    const singleLineHeight = 44
    await expect
      .poll(async () => (await filtersButton.boundingBox())?.height)
      .toBe(singleLineHeight)
    await expectToFit(page)

    await page.getByRole('link', { name: 'Price: high to low' }).click()
    await expect(page).toHaveURL('/AllCourses?q=e&price=50-100&sort=price-down')
  })

  test('the button of the form searches, and keeps how the same words are searched for', async ({
    page,
  }) => {
    const search = page.getByRole('combobox', { name: 'Search courses' })
    const submit = page.getByRole('button', { name: 'Search', exact: true })

    await page.goto('/AllCourses')
    await search.fill('e')
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Design')
    await page.getByRole('combobox', { name: 'Level' }).selectOption('Beginner')
    await submit.click()
    await expect(page).toHaveURL('/AllCourses?q=e&category=design&level=beginner')
    await expect(count(page)).toHaveText('Showing 1 course')
    await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('design')

    await page.getByRole('article').first().getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Interface Design Fundamentals',
    )

    await page.goto('/AllCourses?q=pyton&exact=1')
    await submit.click()
    await expect(page.getByText('No courses found')).toBeVisible()

    await search.fill('pythn')
    await submit.click()
    await expect(
      page.getByText('Showing results for python. Search for pythn instead.'),
    ).toBeVisible()

    await page.goto('/AllCourses?q=data&mentions=1')
    await page.getByRole('combobox', { name: 'Level' }).selectOption('Beginner')
    await submit.click()
    await expect(chips(page)).toHaveText(['Remove Beginner', 'Remove Including mentions'])

    await search.fill('git')
    await submit.click()
    await expect(chips(page)).toHaveText(['Remove Beginner'])
  })
})
