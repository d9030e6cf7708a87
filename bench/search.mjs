/**
 * `node bench/search.mjs [SIZES]`: searches, filtered pages and suggestions of a product with its own courses, with 1,000 and
 * with a million sample courses, each address asked once, one after the other; how long the sample takes to load beside
 * the running product, a search while the index follows a rating, the list for search engines, and the memory of the product
 * and of its database. It says which goals are missed, and by which addresses. Sizes like `0,1000,100000` measure only those; the second one is what the others
 * are compared with. Many searches find less among 1,000 courses, so pages with as many courses are compared apart, too.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProduct } from './product.mjs'
import { openProductDatabase } from './product-database.mjs'
import { residentOf, whereMemoryIs } from './resident.mjs'
import { addRow } from './rows.mjs'
import { at } from './visitors.mjs'

const sizes = (process.argv[2] ?? '0,1000,1000000').split(',').map(Number)
const words = (
  'python,design,management,machine learning,web development,e,in,it,c++,javascript for beginners,the complete,color,photo,' +
  'finance excel,e-mail marketing,advanced sql,portrait lighting,okafor,anna,ing,tion,data analysis in practice,statistics,' +
  'public speaking step by step,film cameras,rust compilers,pyhton,javascrpt,managment,qwxyzk,renbato,lasko,zan,.net,strategy a,' +
  'e d,e.,thon,ose de,pyth qwxyzk'
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
const addresses = {
  search: words.flatMap((q) => filters.map((filter) => `/AllCourses?q=${encodeURIComponent(q)}&${filter}`)),
  // Each pair once, and none of the same filter twice: the product keeps what was asked before, in any order.
  'filtered page': filters.flatMap((one, at) =>
    filters
      .slice(at + 1)
      .filter((other) => !namesOf(one).some((name) => namesOf(other).includes(name)))
      .map((other) => `/AllCourses?${one}&${other}`),
  ),
  suggestions: words.flatMap((q) =>
    Array.from({ length: q.length }, (_, end) => `/Suggestions?q=${encodeURIComponent(q.slice(0, end + 1))}`),
  ),
}
/** @param {string} filter */
function namesOf(filter) {
  return [...new URLSearchParams(filter).keys()]
}

/** Milliseconds of the slowest hundredth. */
const most = { search: 50, 'filtered page': 50, suggestions: 15 }
const mostLoadSeconds = 300
/** More than two minutes of searches. */
const mostUntilRenewed = 3_000
const mostRenewalMs = 500
const mostMegabytes = { product: 350, database: 1000 }

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const product = await startProduct()
/** @type {Record<string, { p50: number, asked: Map<string, Asked> }>} */
const compared = {}
/** @typedef {{ ms: number, cards: number }} Asked */
try {
  // So that the first size is not measured while JavaScript is still being compiled.
  for (let turn = 0; turn < 300; turn++) await ask(`/AllCourses?q=warm&category=${turn}`)
  for (const [index, size] of sizes.entries()) {
    if (size > 0) await load(size)
    for (const [what, list] of Object.entries(addresses)) await measure(what, list, { size, isFirst: index <= 1 })
    await measureSitemap(size)
  }
  await measureRenewal(sizes.at(-1))
  reportMemory()
} finally {
  agent.destroy()
  await product.stop()
}

async function load(size) {
  const began = performance.now()
  const sample = spawnSync('node', ['scripts/command.ts', 'content', 'sample', String(size)], {
    env: { ...process.env, ENV_FILE: '/dev/null', DATA_DIR: product.folder },
    encoding: 'utf8',
  })
  if (sample.status !== 0) throw new Error(sample.stderr)
  // While it loaded, the product closed what nobody asked on.
  agent.destroy()
  const seconds = (performance.now() - began) / 1000
  const figure = `loading ${size} sample courses`
  const met = seconds <= mostLoadSeconds
  addRow({ figure, value: `${seconds.toFixed(1)} s`, goal: `a million in ${mostLoadSeconds} s`, met })
  // The product hears of it in a moment, and reads the new index for whoever comes first.
  for (let tries = 0; (await countCourses()) < size; tries++) {
    if (tries === 100) throw new Error(`The catalog still has fewer courses than ${size}.`)
    await pause(100)
  }
  await ask('/Suggestions?q=warm')
}

/** @returns N of 'Showing N courses'. */
async function countCourses() {
  const { body } = await ask('/AllCourses')
  const [, count = ''] = /Showing ([\d,]+) courses/.exec(body.replaceAll(/<[^>]*>/g, '')) ?? []
  return Number(count.replaceAll(',', ''))
}

async function measure(what, list, { size, isFirst }) {
  /** @type {Map<string, Asked>} */
  const asked = new Map()
  for (const address of new Set(list)) {
    const { ms, body } = await ask(address)
    asked.set(address, { ms, cards: body.split('<article').length - 1 })
  }
  const milliseconds = sortedTimes([...asked.values()])
  const [p50, p99] = [at(milliseconds, 0.5), at(milliseconds, 0.99)]
  if (isFirst) compared[what] = { p50, asked }
  const grown = p50 / (compared[what]?.p50 ?? p50)
  addRow({
    figure: `${what}, ${size === 0 ? 'twelve' : size} courses`,
    value: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    goal: `p50 at most 1.5 times, p99 ${most[what]} ms`,
    met: p99 <= most[what] && grown <= 1.5,
    ratio: isFirst
      ? ''
      : `p50 ${grown.toFixed(2)} times that of ${sizes[1] ?? sizes[0]} courses${growthOfEqualPages(what, asked)}`,
  })
  const slowest = [...asked].sort(([, one], [, other]) => other.ms - one.ms).slice(0, 5)
  for (const [address, { ms }] of slowest) console.log(`  ${ms.toFixed(1).padStart(7)} ms  ${address}`)
}

/** @param {string} what @param {Map<string, Asked>} asked */
function growthOfEqualPages(what, asked) {
  const before = compared[what]?.asked ?? asked
  const equal = [...asked.keys()].filter((address) => before.get(address)?.cards === asked.get(address)?.cards)
  if (equal.length === asked.size) return ''
  const [now, then] = [asked, before].map((times) => sortedTimes(equal.flatMap((address) => times.get(address) ?? [])))
  const grown = at(now, 0.5) / at(then, 0.5)
  return `; ${grown.toFixed(2)} times for the ${equal.length} of ${asked.size} pages with as many courses`
}

/** @param {Asked[]} asked */
function sortedTimes(asked) {
  return asked.map(({ ms }) => ms).sort((a, b) => a - b)
}

async function measureSitemap(size) {
  const { ms } = await ask('/sitemap.xml?size=')
  const met = ms <= most.search
  addRow({ figure: `/sitemap.xml, ${size} courses`, value: `${ms.toFixed(1)} ms`, goal: `${most.search} ms`, met })
}

/** The slowest search while the index of the content is built anew after a rating, which begins within a minute. */
async function measureRenewal(size) {
  const sql = await openProductDatabase(product.folder)
  const readVersion = async () =>
    (await sql`select version from search_segments where segment like 'content%'`)[0].version
  const before = await readVersion()
  await sql`update courses set rating = rating - 0.1 where id = 'python-from-zero'`
  await sql`update search_segments set outdated = true where segment like 'content%'`
  const times = []
  for (let left = mostUntilRenewed, renewed = false; left > 0; left--) {
    times.push((await ask(`/AllCourses?q=python&category=renewal${times.length}`)).ms)
    if (!renewed && (await readVersion()) !== before) [renewed, left] = [true, 20]
    await pause(50)
  }
  await sql.end()
  if (times.length >= mostUntilRenewed) throw new Error('The index does not follow the rating.')
  const slowest = Math.max(...times)
  addRow({
    figure: `search while the index follows a rating, ${size} courses`,
    value: `at most ${slowest.toFixed(0)} ms`,
    goal: `${mostRenewalMs} ms`,
    met: slowest <= mostRenewalMs,
  })
}

/** Resident is what each takes now, the most what it took at any time; of PostgreSQL, what its processes share counts once. */
function reportMemory() {
  const size = sizes.at(-1)
  const { now, most: peak } = residentOf(product.pid)
  addRow({
    figure: `memory of the product, ${size} courses`,
    value: `${now} MB, at most ${peak} MB`,
    goal: `${mostMegabytes.product} MB`,
    met: now <= mostMegabytes.product,
  })
  console.log(`  ${whereMemoryIs(product.pid)}`)
  const database = sum(
    listPostgres().map((pid) => megabytesOf(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')),
  )
  const figure = `memory of the database, ${size} courses`
  const met = database <= mostMegabytes.database
  addRow({ figure, value: `${database} MB`, goal: `${mostMegabytes.database} MB`, met })
}

function listPostgres() {
  const [postmaster] = readFileSync(path.join(product.folder, 'database/cluster/data/postmaster.pid'), 'utf8').split(
    '\n',
  )
  const isOurs = (pid) => pid === postmaster || parentOf(pid) === postmaster
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name))
}

function parentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[1]
  } catch {
    return ''
  }
}

function megabytesOf(text, name) {
  return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024)
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

/** @returns {Promise<{ ms: number, body: string }>} milliseconds until all of it came; the body as it was sent. */
function ask(address) {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    get(product.url + address, { agent }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      if (response.statusCode !== 200) reject(new Error(`${address}: ${response.statusCode}`))
      resolve({ ms: performance.now() - began, body: body.toString('latin1') })
    }).on('error', reject)
  })
}
