/**
 * `node bench/pages.mjs`: what a first visit of each public page loads without a touch, as sent over the network: JavaScript as
 * Brotli and in how many files, all bytes with their headers, and how far its layout shifts.
 */
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.ts'
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'

/** How long a page may stay silent between two of its scripts. */
const quietMs = 1000
const pages = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp', '/Instructor']
const product = await startProduct()
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? undefined,
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  for (const path of pages) {
    const { script, files, all, shift } = await visit(path)
    const value = `${(script / 1000).toFixed(1)} kB of script in ${files} files, ${(all / 1000).toFixed(0)} kB in all, shift ${shift.toFixed(3)}`
    addRow({ figure: `first visit of ${path}`, value, goal: '105 kB of script', met: script <= 105_000 })
  }
} finally {
  await browser.close()
  await product.stop()
}

async function visit(path) {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  /** Of each script, the size of its headers. */
  const scripts = new Map()
  const bytes = { script: 0, all: 0 }
  network.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') scripts.set(requestId, response.encodedDataLength)
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength
    if (scripts.has(requestId)) bytes.script += encodedDataLength - scripts.get(requestId)
  })
  await page.goto(product.url + path)
  // Scripts come after the first paint, and a few of them only once the page has taken over.
  await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset)
  await page.waitForTimeout(quietMs)
  const shift = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 200))
      }),
  )
  await page.close()
  return { ...bytes, files: scripts.size, shift }
}
