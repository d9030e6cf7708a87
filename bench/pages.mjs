/**
 * `node bench/pages.mjs`: what a first visit of each public page loads, as sent over the network: compressed JavaScript, all
 * bytes, and how far its layout shifts.
 */
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'

const pages = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp', '/Instructor']
const product = await startProduct()
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? undefined,
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  for (const path of pages) {
    const { script, all, shift } = await visit(path)
    const value = `${(script / 1000).toFixed(1)} kB of script, ${(all / 1000).toFixed(0)} kB in all, shift ${shift.toFixed(3)}`
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
  const types = new Map()
  const bytes = { script: 0, all: 0 }
  network.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength
    if (types.get(requestId) === 'Script') bytes.script += encodedDataLength
  })
  await page.goto(product.url + path, { waitUntil: 'networkidle' })
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
  return { ...bytes, shift }
}
