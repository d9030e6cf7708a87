/**
 * `node bench/pages.mjs`: what each public page costs. Starts the product on a port and folder of its own, and prints,
 * for each page: compressed JavaScript and all bytes of a first visit (as sent over the network), layout shift, and the
 * server's time for a page from the cache beside one that is rendered, as a ratio measured in the same run.
 */
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { startProduct } from './product.mjs'

const pages = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp', '/Instructor']
const product = await startProduct()
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? undefined,
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  console.log('page          script KB   all KB   shift   cached ms   rendered ms   ratio')
  for (const path of pages) {
    const { script, all, shift } = await visit(path)
    const cached = await medianMs(() => `${product.url}${path}`)
    // A query that no page knows: the same page, but under an address that is not stored yet.
    const rendered = await medianMs((run) => `${product.url}${path}?bench=${run}`)
    const cells = [
      (script / 1000).toFixed(1),
      (all / 1000).toFixed(1),
      shift.toFixed(3),
      cached.toFixed(2),
      rendered.toFixed(2),
      (rendered / cached).toFixed(1),
    ]
    console.log(path.padEnd(14) + cells.map((cell, index) => cell.padStart([9, 9, 8, 12, 14, 8][index] ?? 9)).join(''))
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

async function medianMs(address, runs = 60) {
  const times = []
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now()
    const response = await fetch(address(run), { headers: { 'Accept-Encoding': 'br' } })
    await response.arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}
