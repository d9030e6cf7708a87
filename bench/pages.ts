/**
 * `node bench/pages.ts [--beside=FOLDER] [--lighthouse]`: measures how many kilobytes of script a
 * first visit of each public page loads, compressed with Brotli, and how many catalog and course
 * pages one process renders a second.
 *
 * `--beside` names another checkout of Learnify, which takes turns with this one. `--lighthouse`
 * also runs Lighthouse 12 with its mobile settings. npx downloads it.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../scripts/chromium.ts'
import { findFreePort, type Product, startProduct } from '../tests/support/product.ts'
import { addResult, median, percentile } from './figures.ts'
import { simulateVisitors } from './visitors.ts'

const pagePaths = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp', '/Instructor']
const maxScriptKilobytes = 140
/** The lowest rate of this checkout, relative to the rate of the other checkout. */
const minRenderingRatio = 0.7
const roundCount = 3
const pagesPerRound = 500
/** A page has loaded its scripts if it has requested nothing for this time. */
const networkQuietMs = 1000
/** The pages that `--lighthouse` measures. */
const lighthousePagePaths = pagePaths.slice(0, 5)

const args = process.argv.slice(2)
const besideOption = args.find((arg) => arg.startsWith('--beside='))
const otherRoot = besideOption?.slice('--beside='.length)
const product = await startProduct()
const otherProduct = otherRoot ? await startProduct({ root: otherRoot }) : null
const debuggingPort = await findFreePort()
const browser = await chromium.launch({
  executablePath: findChromium() ?? undefined,
  args: [
    `--remote-debugging-port=${debuggingPort}`,
    '--no-sandbox',
    '--disable-background-networking',
  ],
})

try {
  for (const pagePath of pagePaths) {
    await measureScript(browser, pagePath)
  }

  await measureRendering('catalog page, rendered', (id) => `/AllCourses?category=${id}`)
  await measureRendering('course page, rendered', (id) => `/OneCourse?why=${id}`)
  if (args.includes('--lighthouse')) {
    for (const pagePath of lighthousePagePaths) {
      await runLighthouse(pagePath)
    }
  }
} finally {
  await browser.close()
  await product.stop()
  await otherProduct?.stop()
}

async function measureScript(browser: Browser, pagePath: string): Promise<void> {
  const { kilobytes, fileCount } = await loadScripts(browser, product, pagePath)
  const other = otherProduct && (await loadScripts(browser, otherProduct, pagePath))
  addResult({
    figure: `script of a first visit of ${pagePath}`,
    value: `${kilobytes.toFixed(1)} kB in ${fileCount} files`,
    goal: `${maxScriptKilobytes} kB`,
    isMet: kilobytes <= maxScriptKilobytes,
    ratio: other
      ? `${(kilobytes / other.kilobytes).toFixed(2)} of ${other.kilobytes.toFixed(1)} kB`
      : '',
  })
}

/**
 * Opens a page in a new tab. Returns the number of its script files, and their kilobytes on the
 * network without the response headers.
 */
async function loadScripts(
  browser: Browser,
  { url }: Product,
  pagePath: string,
): Promise<{ kilobytes: number; fileCount: number }> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')

  const headerBytesByRequest = new Map<string, number>()
  let scriptBytes = 0
  network.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') {
      headerBytesByRequest.set(requestId, response.encodedDataLength)
    }
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const headerBytes = headerBytesByRequest.get(requestId)
    if (headerBytes !== undefined) {
      scriptBytes += encodedDataLength - headerBytes
    }
  })

  await page.goto(url + pagePath, { waitUntil: 'networkidle' })
  await page.waitForTimeout(networkQuietMs)
  await page.close()

  return { kilobytes: scriptBytes / 1000, fileCount: headerBytesByRequest.size }
}

/**
 * Measures how many pages a process renders a second, in turns with the other checkout.
 *
 * @param createPath returns a path with the value of a known parameter. Each path has another
 * value, so that no cache has the page.
 */
async function measureRendering(figure: string, createPath: (id: string) => string): Promise<void> {
  const measuredProducts = otherProduct ? [product, otherProduct] : [product]
  const runs = measuredProducts.map(({ url }) => ({
    port: Number(new URL(url).port),
    rates: [] as number[],
    times: [] as number[],
  }))

  for (let round = 0; round <= roundCount; round++) {
    for (const { port, rates, times } of runs) {
      const { rate, times: newTimes } = await simulateVisitors(
        port,
        (requestNumber) => createPath(`${round}-${requestNumber}`),
        { visitors: 4, count: pagesPerRound },
      )
      // The first round compiles the code, and is not measured.
      if (round > 0) {
        rates.push(rate)
        times.push(...newTimes)
      }
    }
  }

  const [rate = 0, otherRate] = runs.map(({ rates }) => median(rates))
  const times = runs[0]?.times ?? []
  const ratio = otherRate ? rate / otherRate : null
  addResult({
    figure,
    value: `${Math.round(rate)} a second, p50 ${median(times).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
    goal: otherRoot ? `${minRenderingRatio} of the other` : '',
    isMet: ratio === null || ratio >= minRenderingRatio,
    ratio: ratio === null ? '' : `${ratio.toFixed(2)} of the other`,
  })
}

/** Prints the scores of a page. They are no results, because their goals compare both checkouts. */
async function runLighthouse(pagePath: string): Promise<void> {
  for (const [name, measuredProduct] of [
    ['this one', product],
    ['the other', otherProduct],
  ] as const) {
    if (!measuredProduct) {
      continue
    }

    const args = [
      '--yes',
      'lighthouse@12',
      measuredProduct.url + pagePath,
      '--output=json',
      '--quiet',
      `--port=${debuggingPort}`,
    ]
    const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: 64 * 1024 * 1024 })
    const { categories, audits } = JSON.parse(stdout)

    const scores = Object.keys(categories).map(
      (key) => `${key} ${Math.round(categories[key].score * 100)}`,
    )
    const firstPaint = audits['first-contentful-paint'].displayValue
    const largestPaint = audits['largest-contentful-paint'].displayValue
    const blockingTime = audits['total-blocking-time'].displayValue
    console.log(
      `Lighthouse mobile, ${pagePath}, ${name}: ${scores.join(', ')}, first paint ${firstPaint}, largest ${largestPaint}, blocked ${blockingTime}`,
    )
  }
}
