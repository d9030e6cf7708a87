/**
 * `node bench/pages.ts [--beside=FOLDER] [--lighthouse]`: the script that a first visit of each
 * public page loads, as Brotli, and how many catalog and course pages one process renders a second.
 * `--beside` names another checkout of Learnify, with which it takes turns. `--lighthouse` adds
 * Lighthouse 12 with its mobile settings, which npx fetches.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../scripts/chromium.ts'
import { findFreePort, type Product, startProduct } from '../tests/support/product.ts'
import { addResult, median, percentile } from './figures.ts'
import { simulateVisitors } from './visitors.ts'

const pages = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp', '/Instructor']
const maxScriptKilobytes = 140
/** Of the rate beside which it is measured. */
const minRenderingRatio = 0.7
const rounds = 3
const renderingCount = 500
/** A page that asked for nothing for so long has loaded its scripts. */
const networkQuietMs = 1000

const args = process.argv.slice(2)
const otherProduct = args.find((word) => word.startsWith('--beside='))?.slice('--beside='.length)
const product = await startProduct()
const beside = otherProduct ? await startProduct({ root: otherProduct }) : null
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
  for (const page of pages) {
    await measureScript(browser, page)
  }

  await measureRendering('catalog page, rendered', (turn) => `/AllCourses?category=${turn}`)
  await measureRendering('course page, rendered', (turn) => `/OneCourse?why=${turn}`)
  if (args.includes('--lighthouse')) {
    for (const page of pages.slice(0, 5)) {
      await measureByLighthouse(page)
    }
  }
} finally {
  await browser.close()
  await product.stop()
  await beside?.stop()
}

async function measureScript(browser: Browser, page: string): Promise<void> {
  const { script, files } = await loadPage(browser, product, page)
  const former = beside && (await loadPage(browser, beside, page))
  addResult({
    figure: `script of a first visit of ${page}`,
    value: `${script.toFixed(1)} kB in ${files} files`,
    goal: `${maxScriptKilobytes} kB`,
    isMet: script <= maxScriptKilobytes,
    ratio: former ? `${(script / former.script).toFixed(2)} of ${former.script.toFixed(1)} kB` : '',
  })
}

/**
 * @returns how many kilobytes of script came over the network without their headers, and in how
 * many files.
 */
async function loadPage(
  browser: Browser,
  { url }: Product,
  path: string,
): Promise<{ script: number; files: number }> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const headerBytes = new Map<string, number>()
  let bytes = 0
  network.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') {
      headerBytes.set(requestId, response.encodedDataLength)
    }
  })

  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const head = headerBytes.get(requestId)
    if (head !== undefined) {
      bytes += encodedDataLength - head
    }
  })

  await page.goto(url + path, { waitUntil: 'networkidle' })
  await page.waitForTimeout(networkQuietMs)
  await page.close()

  return { script: bytes / 1000, files: headerBytes.size }
}

/** New values of a known parameter, so that no cache has the page. */
async function measureRendering(
  figure: string,
  pathOf: (turn: number | string) => string,
): Promise<void> {
  const runs = [product, beside].flatMap((one) =>
    one ? [{ port: Number(new URL(one.url).port), rates: [] as number[] }] : [],
  )
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { port, rates }] of runs.entries()) {
      const run = await simulateVisitors(port, (turn) => pathOf(`${round}-${turn}`), {
        visitors: 4,
        count: renderingCount,
      })
      // The first round compiles the code.
      if (round === 0) {
        continue
      }

      rates.push(run.rate)
      if (index === 0) {
        times.push(...run.times)
      }
    }
  }

  const [rate, besideRate] = runs.map(({ rates }) => median(rates))
  const ratio = besideRate ? (rate ?? 0) / besideRate : null
  addResult({
    figure,
    value: `${Math.round(rate ?? 0)} a second, p50 ${median(times).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
    goal: otherProduct ? `${minRenderingRatio} of the other` : '',
    isMet: ratio === null || ratio >= minRenderingRatio,
    ratio: ratio === null ? '' : `${ratio.toFixed(2)} of the other`,
  })
}

/** Only printed: its goals compare both. */
async function measureByLighthouse(page: string): Promise<void> {
  for (const [name, one] of Object.entries({ 'this one': product, 'the other': beside })) {
    if (!one) {
      continue
    }

    const words = [
      '--yes',
      'lighthouse@12',
      one.url + page,
      '--output=json',
      '--quiet',
      `--port=${debuggingPort}`,
    ]
    const { stdout } = await promisify(execFile)('npx', words, { maxBuffer: 64 * 1024 * 1024 })
    const { categories, audits } = JSON.parse(stdout)
    const scores = Object.keys(categories).map(
      (key) => `${key} ${Math.round(categories[key].score * 100)}`,
    )
    const firstPaint = audits['first-contentful-paint'].displayValue
    const largestPaint = audits['largest-contentful-paint'].displayValue
    const blocking = audits['total-blocking-time'].displayValue
    console.log(
      `Lighthouse mobile, ${page}, ${name}: ${scores.join(', ')}, first paint ${firstPaint}, largest ${largestPaint}, blocked ${blocking}`,
    )
  }
}
