/**
 * `node bench/search.ts [COUNT] [DATA_DIR]`: measures searches, filtered pages and suggestions of a
 * product with COUNT (20,000) generated courses. Each path is requested once, one after the other,
 * so that no page comes from the page cache. A DATA_DIR with a database of an earlier run is used
 * as it is.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProduct } from '../tests/support/product.ts'
import { addResult, percentile, residentMemory } from './figures.ts'
import { createCatalog } from './fill-catalog.ts'

/**
 * Searches for common and rare words, parts of words, misspelled words and words without a match.
 */
const searchTexts = (
  'python,design,management,machine learning,web development,e,in,it,c++,javascript for beginners,the complete,color,photo,' +
  'finance excel,e-mail marketing,advanced sql,portrait lighting,okafor,anna,ing,tion,data analysis in practice,statistics,' +
  'public speaking step by step,film cameras,rust compilers,pyhton,javascrpt,managment,qwxyzk,renbato,lasko,zan,.net,strategy a,' +
  'e d,e.,thon,ose de,pyth qwxyzk,designing'
).split(',')

const filters = [
  '',
  'category=design',
  'level=advanced',
  'price=free',
  'language=Spanish&language=French',
  'rating=4.5',
  'length=0-5&price=0-50',
  'category=technology&level=beginner&rating=4.5',
  'skill=Python',
  'sort=rated',
  'sort=price-up',
  'sort=newest',
  'sort=price-down',
]

const courseCount = Number(process.argv[2] ?? 20_000)
const isLarge = courseCount > 20_000
const pageGoal = isLarge ? { p50Ms: 120, p99Ms: 800 } : { p50Ms: 30, p99Ms: 120 }
const suggestionGoal = isLarge ? { p50Ms: 40, p99Ms: 200 } : { p50Ms: 20, p99Ms: 60 }
const maxMegabytes = 350

/** The first requests compile the code, and are not measured. */
const warmUpCount = 100

const folder = process.argv[3] ?? mkdtempSync(path.join(tmpdir(), 'learnify-search-'))
if (!existsSync(path.join(folder, 'database'))) {
  console.log(`prepared in ${Math.round(await createCatalog(folder, courseCount))} s`)
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const product = await startProduct({ folder })
try {
  for (let number = 0; number < warmUpCount; number++) {
    await request(`/AllCourses?q=warm${number}`)
  }

  await measure('search', listSearchPaths(), pageGoal)
  await measure('filtered page', listFilterPaths(), pageGoal)
  await measure('suggestions', listSuggestionPaths(), suggestionGoal)

  const megabytes = residentMemory(product.pid).now
  addResult({
    figure: `memory of the product, ${courseCount} courses`,
    value: `${Math.round(megabytes)} MB`,
    goal: `${maxMegabytes} MB`,
    isMet: megabytes <= maxMegabytes,
  })
} finally {
  agent.destroy()
  await product.stop()
  if (!process.argv[3]) {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the path of each search with each filter. */
function listSearchPaths(): string[] {
  return searchTexts.flatMap((text) =>
    filters.map((filter) => `/AllCourses?q=${encodeURIComponent(text)}&${filter}`),
  )
}

/** Returns a path for each pair of filters without a common parameter. */
function listFilterPaths(): string[] {
  return filters.flatMap((first, index) =>
    filters
      .slice(index + 1)
      .filter((second) => !haveCommonParameter(first, second))
      .map((second) => `/AllCourses?${first}&${second}`),
  )
}

function haveCommonParameter(first: string, second: string): boolean {
  const secondParameters = new URLSearchParams(second)
  return [...new URLSearchParams(first).keys()].some((name) => secondParameters.has(name))
}

/** Returns the paths of the suggestions while each search text is typed, letter by letter. */
function listSuggestionPaths(): string[] {
  return searchTexts.flatMap((text) =>
    Array.from({ length: text.length }, (_, index) => {
      const typedText = text.slice(0, index + 1)
      return `/Suggestions?q=${encodeURIComponent(typedText)}`
    }),
  )
}

type Goal = { p50Ms: number; p99Ms: number }

/** Requests each path once, adds the result, and prints the slowest requests. */
async function measure(name: string, paths: readonly string[], goal: Goal): Promise<void> {
  const responses: { path: string; ms: number; status: number }[] = []
  for (const pagePath of new Set(paths)) {
    responses.push({ path: pagePath, ...(await request(pagePath)) })
  }

  const times = responses.map(({ ms }) => ms)
  const p50Ms = percentile(times, 0.5)
  const p99Ms = percentile(times, 0.99)
  const areAllSuccessful = responses.every(({ status }) => status === 200)
  addResult({
    figure: `${name}, ${courseCount} courses`,
    value: `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    goal: `p50 ${goal.p50Ms} ms, p99 ${goal.p99Ms} ms`,
    isMet: p50Ms <= goal.p50Ms && p99Ms <= goal.p99Ms && areAllSuccessful,
  })

  const slowestResponses = responses.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
  for (const { path: pagePath, ms, status } of slowestResponses) {
    console.log(`  ${ms.toFixed(0).padStart(6)} ms  ${status}  ${pagePath}`)
  }
}

/** Returns the status of a response, and the milliseconds until it is complete. */
function request(pagePath: string): Promise<{ ms: number; status: number }> {
  const sentAt = performance.now()
  return new Promise((resolve, reject) => {
    get(product.url + pagePath, { agent }, async (response) => {
      for await (const _chunk of response) {
        // The content does not matter. Reading it shows when the response is complete.
      }

      resolve({ ms: performance.now() - sentAt, status: response.statusCode ?? 0 })
    }).on('error', reject)
  })
}
