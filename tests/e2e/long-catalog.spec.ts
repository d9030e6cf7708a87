import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fillCatalog } from '../../bench/fill-catalog.ts'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import { findFreePort, startProduct } from '../support/product'

const port = await findFreePort()
test.use({ baseURL: `http://localhost:${port}` })

/** A product of its own, because the others' catalog is short. */
test('a long list goes on where it ends, stays as it was left, and loses nothing without a connection', async ({
  page,
  context,
  guard,
}) => {
  test.setTimeout(120_000)
  // Made-up courses have no covers, and the connection goes away on purpose.
  guard.allowOfflineErrors()
  guard.allowConsoleError(/404 \(Not Found\)/)
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-long-'))
  const first = await startProduct({ folder, port })
  await fillCatalog(folder, 60)
  await first.stop()
  // A start prepares the search of courses that it doesn't know yet.
  const product = await startProduct({ folder, port })
  try {
    await page.goto('/AllCourses?sort=students')
    await waitForHydration(page)
    const cards = page.getByRole('main').getByRole('article')
    const more = page.getByRole('link', { name: 'Show more' })
    await expect(cards).toHaveCount(24)

    await context.setOffline(true)
    await more.click()
    await expect(page.getByRole('alert')).toContainText('We couldn’t load more courses.')
    await expect(cards).toHaveCount(24)
    await context.setOffline(false)
    await more.click()
    await expect(cards).toHaveCount(48)
    await expect(cards.nth(24).getByRole('link').first()).toBeFocused()
    const addresses = await cards
      .locator('h2 a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(new Set(addresses).size).toBe(48)

    await cards.nth(40).getByRole('heading').click()
    await expect(page).toHaveURL(/OneCourse/)
    await page.goBack()
    await expect(cards).toHaveCount(48)
    await expect(cards.nth(40)).toBeInViewport()
  } finally {
    // Pictures may still be on their way.
    await page.close()
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
