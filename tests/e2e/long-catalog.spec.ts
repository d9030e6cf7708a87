import { writeCourseSearch } from '../../app/features/catalog/search/search-index.server'
import { fillCatalog } from '../../bench/fill-catalog.ts'
import { expect, test } from '../support/browser'
import { findFreePort, type Product, startProduct } from '../support/product'
import { withProductDatabase } from '../support/product-database'

// The catalog of the shared product is shorter than one page.
const port = await findFreePort()
test.use({ baseURL: `http://localhost:${port}` })

let product: Product | undefined
test.beforeAll(async () => {
  test.setTimeout(300_000)
  product = await startProduct({ port })
  await fillCatalog(product.folder, 60)
  await indexAllCourses(product.folder)
})
test.afterAll(() => product?.stop())

async function indexAllCourses(folder: string): Promise<void> {
  await withProductDatabase(async (db) => {
    const courses = await db.query.courses.findMany({ columns: { id: true } })
    await db.transaction((transaction) =>
      writeCourseSearch(
        transaction,
        courses.map(({ id }) => id),
      ),
    )
  }, folder)
}

test('a long list goes on where it ends, stays as it was left, and loses nothing without a connection', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  // Made-up courses have no covers.
  guard.allowConsoleError(/404 \(Not Found\)/)
  await page.goto('/AllCourses?sort=students')
  await page.waitForLoadState('networkidle')
  const cards = page.getByRole('main').getByRole('article')
  const showMore = page.getByRole('link', { name: 'Show more' })
  await expect(cards).toHaveCount(24)

  await context.setOffline(true)
  await showMore.click()
  await expect(page.getByRole('alert')).toContainText('We couldn’t load more courses.')
  await expect(cards).toHaveCount(24)

  await context.setOffline(false)
  await showMore.click()
  await expect(cards).toHaveCount(48)
  await expect(cards.nth(24).getByRole('link').first()).toBeFocused()

  const courseUrls = await cards
    .locator('h2 a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(new Set(courseUrls).size).toBe(48)

  await cards.nth(40).getByRole('heading').click()
  await expect(page).toHaveURL(/OneCourse/)

  await page.goBack()
  await expect(cards).toHaveCount(48)
  await expect(cards.nth(40)).toBeInViewport()
})
