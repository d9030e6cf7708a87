/**
 * `node bench/changes.mjs`: how long a review that one process stores stays unseen on the kept pages of another, while
 * both are asked for them: with the embedded database, behind PgBouncer, and behind PgBouncer with a direct connection
 * for LISTEN, also after PostgreSQL was restarted. Then how many pages are rendered while a review is written each second:
 * no more than the pages that show the course, once a review, and those under way; and how often a process that nobody asks reads the database.
 */
import { appendFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { findMissingPackages, startDebianDatabase } from './debian-database.mjs'
import { freePort, startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase, sendReview } from './product-database.mjs'
import { addRow, percentile, requirePackages } from './rows.mjs'

const courseId = 'python-from-zero'
const rounds = Number(process.env.ROUNDS ?? 60)
const mostMs = 2_000
const visitors = 8
const reviewed = `/OneCourse/${courseId}?sort=newest`
const page = async (url, path) => (await fetch(url + path)).text()

await withProcesses('embedded database', {}, async (site) => {
  await measureDelay('embedded database', site)
  await measureStore(site)
  await measureQuiet(site)
})
requirePackages(findMissingPackages())
const database = await startDebianDatabase({ poolSize: 10 })
const pooled = { DATABASE_URL: database.url }
try {
  await withProcesses('PgBouncer', pooled, (site) => measureDelay('PgBouncer', site), database.directUrl)
  await withProcesses(
    'PgBouncer and LISTEN',
    { ...pooled, DATABASE_DIRECT_URL: database.directUrl },
    async (site) => {
      await measureDelay('PgBouncer and LISTEN', site)
      for (let time = 0; time < 2; time++) await database.restart()
      await pause(5_000)
      await site.reconnect()
      await measureDelay('the same after PostgreSQL restarted twice', site)
    },
    database.directUrl,
  )
} finally {
  await database.stop()
}

async function withProcesses(what, variables, use, directUrl) {
  const metricsPort = String(await freePort())
  const one = await startProduct({ variables })
  const other = await startProduct({ variables: { ...variables, METRICS_PORT: metricsPort }, folder: one.folder })
  let sql
  const site = {
    one,
    other,
    /** How many pages the other process has rendered so far. */
    async renderings() {
      const text = await page(`http://127.0.0.1:${metricsPort}`, '/metrics')
      return Number(/^learnify_page_store_renderings_total (\d+)/m.exec(text)?.[1])
    },
    get sql() {
      return sql
    },
    async reconnect() {
      await sql?.end({ timeout: 1 })
      sql = directUrl
        ? postgres(directUrl, { max: 1, onnotice: () => {}, onclose: () => {} })
        : await openProductDatabase(one.folder)
    },
  }
  await site.reconnect()
  const port = Number(new URL(one.url).port)
  try {
    await sql`delete from users where id like 'bench-%'`
    const { learners } = await addSignedInLearners(sql, { count: 1, courseId, folder: one.folder, port })
    await sql`update users set email_verified = true where id like 'bench-%'`
    await sql`update enrollments set completed_at = now() where uid like 'bench-%'`
    await use(Object.assign(site, { cookie: learners[0].cookie }))
  } catch (error) {
    throw new Error(`${what}: ${error.message}`, { cause: error })
  } finally {
    await sql.end({ timeout: 1 })
    await other.stop()
    await one.stop()
  }
}

async function review({ one, cookie }, comment) {
  const response = await sendReview(one.url, cookie, courseId, comment)
  if (response.status >= 400 || response.headers.get('location')?.includes('Login'))
    throw new Error(`The review was not stored: ${response.status}`)
}

async function measureDelay(figure, site) {
  const delays = []
  let staleWhereStored = 0
  for (let round = 0; round < rounds; round++) {
    const comment = `Review ${figure} ${round}, ${Date.now()}.`
    for (const { url } of [site.one, site.other]) await page(url, reviewed)
    await pause(Math.random() * 1_000)
    await review(site, comment)
    const storedAt = performance.now()
    if (!(await page(site.one.url, reviewed)).includes(comment)) staleWhereStored += 1
    while (!(await page(site.other.url, reviewed)).includes(comment)) {
      if (performance.now() - storedAt > 30_000) throw new Error('A review is still unseen after 30 seconds.')
      await pause(5)
    }
    delays.push(performance.now() - storedAt)
  }
  const value = `p50 ${percentile(delays, 0.5).toFixed(0)}, p95 ${percentile(delays, 0.95).toFixed(0)}, longest ${percentile(delays, 1).toFixed(0)} ms`
  addRow({ figure: `unseen elsewhere: ${figure}`, value, goal: 'at most 2 s', met: percentile(delays, 1) <= mostMs })
  const stale = `${staleWhereStored} of ${rounds} pages`
  addRow({ figure: `outdated where it was stored: ${figure}`, value: stale, goal: '0', met: staleWhereStored === 0 })
}

/** Visitors of many pages, of which some show the course: without reviews, and with one each second. */
async function measureStore(site) {
  const courses = (await site.sql`select id from courses where published order by id limit 12`).map(({ id }) => id)
  const pages = [
    '/',
    '/AllCourses',
    '/AllCourses?sort=rating',
    '/OneCourse',
    ...courses.map((id) => `/OneCourse/${id}`),
  ]
  for (const reviewing of [false, true]) {
    const shown = await Promise.all(pages.map((path) => page(site.other.url, path)))
    const showing = shown.filter((text) => text.includes(`/OneCourse/${courseId}`)).length
    await pause(1_500)
    await Promise.all(pages.map((path) => page(site.other.url, path)))
    const before = await site.renderings()
    let running = true
    let reviews = 0
    const writer = (async () => {
      while (reviewing && running) {
        await review(site, `Turn ${reviews++}, ${Date.now()}.`)
        await pause(1_000)
      }
    })()
    const until = performance.now() + 15_000
    let count = 0
    const visit = async () => {
      while (performance.now() < until) await page(site.other.url, pages[count++ % pages.length])
    }
    await Promise.all(Array.from({ length: visitors }, visit))
    running = false
    await writer
    const rendered = (await site.renderings()) - before
    // What was being rendered when a review came is rendered again.
    const most = reviews * (showing + visitors)
    addRow({
      figure: `renderings, ${reviewing ? `${reviews} reviews of a course on ${showing} pages` : 'no review'}`,
      value: `${rendered} for ${count} answers`,
      goal: `at most ${most}`,
      met: rendered >= 0 && rendered <= most,
    })
  }
}

async function measureQuiet(site) {
  const takeStatements = await logStatements(site.one.folder)
  await page(site.one.url, '/')
  await pause(3_000)
  const asked = countReads(await takeStatements())
  await pause(75_000)
  await takeStatements()
  await pause(60_000)
  const statements = await takeStatements()
  const value = `${countReads(statements)}, of ${statements.match(/LOG: {2}(?:execute|statement)/g)?.length ?? 0} statements`
  const met = asked > 0 && countReads(statements) === 0
  addRow({
    figure: 'reads of changes in a minute that nobody asks',
    value,
    goal: '0',
    met,
    ratio: `${asked} in 3 s after a request`,
  })
}

/** The watch's own statements: background work also looks at the row, to see whether there is maintenance. */
function countReads(statements) {
  return statements.match(/select version::float8 as version/g)?.length ?? 0
}

/** Has the embedded database log every statement. @returns takes what was logged since it was called last. */
async function logStatements(folder) {
  const home = path.join(folder, 'database')
  await appendFile(path.join(home, 'cluster/data/postgresql.auto.conf'), "log_statement = 'all'\n")
  process.kill(
    Number((await readFile(path.join(home, 'cluster/data/postmaster.pid'), 'utf8')).split('\n')[0]),
    'SIGHUP',
  )
  let taken = 0
  return async () => {
    const text = await readFile(path.join(home, 'postgres.log'), 'utf8')
    const added = text.slice(taken)
    taken = text.length
    return added
  }
}
