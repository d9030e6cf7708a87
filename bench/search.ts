/**
 * `node bench/search.ts [COUNT] [DATA_DIR]`: searches, filtered pages and suggestions of a product
 * with so many made-up courses (20,000), each address asked once, one after the other, so that no
 * page comes from the page cache. A DATA_DIR with a database of an earlier run is used as it is.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProduct } from '../tests/support/product.ts'
import { addResult, percentile, residentMemory } from './figures.ts'
import { createCatalog } from './fill-catalog.ts'

const words = (
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
const listParameterNames = (filter: string) => [...new URLSearchParams(filter).keys()]
const searchPaths: Record<string, string[]> = {
  search: words.flatMap((q) =>
    filters.map((filter) => `/AllCourses?q=${encodeURIComponent(q)}&${filter}`),
  ),
  'filtered page': filters.flatMap((one, at) =>
    filters
      .slice(at + 1)
      .filter(
        (other) =>
          !listParameterNames(one).some((name) => listParameterNames(other).includes(name)),
      )
      .map((other) => `/AllCourses?${one}&${other}`),
  ),
  suggestions: words.flatMap((q) =>
    Array.from(
      { length: q.length },
      (_, end) => `/Suggestions?q=${encodeURIComponent(q.slice(0, end + 1))}`,
    ),
  ),
}

const count = Number(process.argv[2] ?? 20_000)
const isLarge = count > 20_000
const goals: Record<string, { p50: number; p99: number }> = {
  search: isLarge ? { p50: 120, p99: 800 } : { p50: 30, p99: 120 },
  'filtered page': isLarge ? { p50: 120, p99: 800 } : { p50: 30, p99: 120 },
  suggestions: isLarge ? { p50: 40, p99: 200 } : { p50: 20, p99: 60 },
}
const maxMegabytes = 350

const folder = process.argv[3] ?? mkdtempSync(path.join(tmpdir(), 'learnify-search-'))
if (!existsSync(path.join(folder, 'database'))) {
  console.log(`prepared in ${Math.round(await createCatalog(folder, count))} s`)
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const product = await startProduct({ folder })
try {
  for (let turn = 0; turn < 100; turn++) {
    await request(`/AllCourses?q=warm${turn}`)
  }

  for (const [what, list] of Object.entries(searchPaths)) {
    await measure(what, list)
  }

  const { now } = residentMemory(product.pid)
  const figure = `memory of the product, ${count} courses`
  addResult({
    figure,
    value: `${Math.round(now)} MB`,
    goal: `${maxMegabytes} MB`,
    isMet: now <= maxMegabytes,
  })
} finally {
  agent.destroy()
  await product.stop()
  if (!process.argv[3]) {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(what: string, list: readonly string[]): Promise<void> {
  const asked: { address: string; ms: number; status: number }[] = []
  for (const address of new Set(list)) {
    asked.push({ address, ...(await request(address)) })
  }

  const times = asked.map(({ ms }) => ms)
  const [own, goal] = [
    { p50: percentile(times, 0.5), p99: percentile(times, 0.99) },
    goals[what] ?? { p50: 0, p99: 0 },
  ]
  addResult({
    figure: `${what}, ${count} courses`,
    value: `p50 ${own.p50.toFixed(1)} ms, p99 ${own.p99.toFixed(1)} ms`,
    goal: `p50 ${goal.p50} ms, p99 ${goal.p99} ms`,
    isMet:
      own.p50 <= goal.p50 && own.p99 <= goal.p99 && asked.every(({ status }) => status === 200),
  })
  const slowest = asked.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
  for (const { address, ms, status } of slowest) {
    console.log(`  ${ms.toFixed(0).padStart(6)} ms  ${status}  ${address}`)
  }
}

/** Milliseconds until all of it came. */
function request(address: string): Promise<{ ms: number; status: number }> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    get(product.url + address, { agent }, async (response) => {
      for await (const _part of response) {
      }

      resolve({ ms: performance.now() - began, status: response.statusCode ?? 0 })
    }).on('error', reject)
  })
}
