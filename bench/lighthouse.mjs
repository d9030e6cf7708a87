/**
 * `node bench/lighthouse.mjs`: Lighthouse 12 with its mobile settings on the public pages of a product of its own, one
 * line a page. Lighthouse is fetched by npx, as it is too large to be a dependency; LIGHTHOUSE may name an installed one.
 */
import { execFileSync } from 'node:child_process'
import { chromiumPath } from '../scripts/chromium.mjs'
import { startProduct } from './product.mjs'

const pages =
  process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp']
const lighthouse = process.env.LIGHTHOUSE ? ['node', process.env.LIGHTHOUSE] : ['npx', '--yes', 'lighthouse@12']
const product = await startProduct()
try {
  console.log('page           perf  a11y  best   seo    LCP ms   TBT ms   CLS')
  for (const path of pages) {
    const [command = '', ...words] = lighthouse
    const flags = '--headless=new --no-sandbox --disable-gpu --disable-background-networking'
    const options = [
      '--output=json',
      '--quiet',
      '--only-categories=performance,accessibility,best-practices,seo',
      `--chrome-flags=${flags}`,
    ]
    const report = execFileSync(command, [...words, product.url + path, ...options], {
      env: { ...process.env, CHROME_PATH: chromiumPath() ?? '' },
      maxBuffer: 64 * 1024 * 1024,
    })
    const { categories, audits } = JSON.parse(report)
    const scores = ['performance', 'accessibility', 'best-practices', 'seo'].map((name) =>
      String(Math.round(categories[name].score * 100)).padStart(6),
    )
    const figures = ['largest-contentful-paint', 'total-blocking-time'].map((name) =>
      audits[name].numericValue.toFixed(0).padStart(9),
    )
    console.log(
      path.padEnd(13) +
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
} finally {
  await product.stop()
}
