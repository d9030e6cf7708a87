/**
 * `node bench/lighthouse.mjs [PAGE ...]`: Lighthouse 12 with its mobile settings on a product of its own, one line a page:
 * the public ones, then those of the demo learner, a running exam and a certificate included. Lighthouse is fetched by
 * npx, as it is too large to be a dependency; LIGHTHOUSE may name an installed one.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.ts'
import { freePort, startProduct } from './product.mjs'

const publicPages = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp']
const course = 'data-structures-and-algorithms'
const lighthouse = process.env.LIGHTHOUSE ? ['node', process.env.LIGHTHOUSE] : ['npx', '--yes', 'lighthouse@12']
const [chosen, product, debuggingPort] = [process.argv.slice(2), await startProduct(), await freePort()]
const browser = await chromium.launchPersistentContext('', {
  executablePath: chromiumPath() ?? undefined,
  args: [
    `--remote-debugging-port=${debuggingPort}`,
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
  ],
})
try {
  console.log('page                                       perf  a11y  best   seo    LCP ms   TBT ms   CLS')
  for (const path of chosen.length > 0 ? chosen : publicPages) await measure(path)
  if (chosen.length === 0) for (const path of await listLearnersPages()) await measure(path)
} finally {
  await browser.close()
  await product.stop()
}

/** Signs the browser in as the demo learner and starts an exam. */
async function listLearnersPages() {
  const post = (path, form) =>
    browser.request.post(product.url + path, { form, headers: { Origin: product.url }, maxRedirects: 0 })
  await post('/Login', { email: 'demo@learnify.example', password: 'Learnify2026' })
  await post(`/Exam/${course}`, { intent: 'start' })
  const achievements = await (await browser.request.get(`${product.url}/Profile/achievements`)).text()
  const [certificate] = /\/Certificate\/[\w-]+/.exec(achievements) ?? []
  if (!certificate) throw new Error('The demo learner could not be signed in.')
  return [
    '/Profile',
    `/Learn/${course}/inside-a-hash-table`,
    `/Learn/${course}/binary-search-with-an-invariant`,
    `/Learn/${course}/check-growth-and-search`,
    `/Exam/${course}`,
    '/Exam/python-from-zero',
    certificate,
  ]
}

async function measure(path) {
  const [command = '', ...words] = lighthouse
  const options = [
    '--output=json',
    '--quiet',
    '--only-categories=performance,accessibility,best-practices,seo',
    `--port=${debuggingPort}`,
  ]
  const { stdout } = await promisify(execFile)(command, [...words, product.url + path, ...options], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const { categories, audits, finalDisplayedUrl } = JSON.parse(stdout)
  if (new URL(finalDisplayedUrl).pathname !== new URL(path, product.url).pathname)
    throw new Error(`${path} led to ${finalDisplayedUrl}.`)
  const scores = ['performance', 'accessibility', 'best-practices', 'seo'].map((name) =>
    String(Math.round(categories[name].score * 100)).padStart(6),
  )
  const figures = ['largest-contentful-paint', 'total-blocking-time'].map((name) =>
    audits[name].numericValue.toFixed(0).padStart(9),
  )
  console.log(
    path.slice(0, 40).padEnd(41) +
      scores.join('') +
      figures.join('') +
      audits['cumulative-layout-shift'].numericValue.toFixed(3).padStart(8),
  )
  for (const name of Object.keys(categories)) {
    const failed = categories[name].auditRefs.filter(
      ({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9,
    )
    if (failed.length > 0) console.log(`  ${name}: ${failed.map(({ id }) => id).join(', ')}`)
  }
}
