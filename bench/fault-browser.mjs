/** A learner in a real browser, whose lesson page keeps its reports while the product can't take them. */
import { chromium } from 'playwright-core'
import postgres from 'postgres'
import { chromiumPath } from '../scripts/chromium.ts'

const courseId = 'python-from-zero'
const lessonId = 'check-values-and-names'

/** Opens a lesson. @returns what the learner does during the fault, and what is stored after it. */
export async function keepInBrowser(url, load, databaseUrl) {
  const executablePath = chromiumPath()
  if (!executablePath) throw new Error('The browser’s part needs Chromium.')
  const { uid, cookie } = load.reader
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const context = await browser.newContext()
  const [name, value] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  await page.goto(`${url}/Learn/${courseId}/${lessonId}`)
  await page.locator('html[data-hydrated], [data-status]').first().waitFor()
  const sent = []
  page.on('response', (response) => response.url().endsWith('/progress') && sent.push(response.status()))
  return {
    async work() {
      await page.getByRole('button', { name: 'Mark as done' }).click()
      await page.locator('[data-status=offline]').waitFor({ timeout: 30_000 })
      return (await page.locator('[data-status]').textContent()) ?? ''
    },
    async finish() {
      const problems = []
      const startedAt = Date.now()
      await page
        .locator('[data-status=saved]')
        .waitFor({ timeout: 60_000 })
        .catch(() => problems.push('the browser did not deliver what it kept within a minute'))
      const seconds = (Date.now() - startedAt) / 1000
      const sql = postgres(databaseUrl, { max: 1 })
      const rows = await sql`select done from lesson_progress where uid = ${uid} and lesson_id = ${lessonId}`
      const told = await sql`select from activities where uid = ${uid} and id like ${`lesson:%${lessonId}%`}`
      await sql.end()
      await browser.close()
      if (!rows[0]?.done) problems.push('the mark that the browser kept is not stored')
      if (told.length !== 1) problems.push(`the finished lesson was told ${told.length} times`)
      return {
        text: `kept mark delivered ${seconds.toFixed(1)} s after the database came back; statuses ${sent}`,
        problems,
      }
    },
  }
}
