/**
 * `node bench/request-costs.mjs`: what each kind of request costs: CPU time of the process and of PostgreSQL, statements,
 * what PostgreSQL writes ahead (WAL), and bytes to the learner. Then what a million learners a day need, by the requests
 * of one learner that `perLearner` assumes. CPU time counts, not time on the clock, so that a busy machine changes little.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { countingProxy } from './counting-proxy.mjs'
import { questionOf, randomAnswer } from './exam-page.mjs'
import { startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase } from './product-database.mjs'

const courseId = 'python-from-zero'
const lessonId = 'names-and-values'
const atOnce = 4
const learnersADay = 1_000_000
/** The busiest second of a day against the average one. */
const peak = 3
/** Requests of one learner a day: half an hour of films, reported every 8 seconds, and what is around them. */
const perLearner = {
  'kept page': 8,
  'rendered page': 0.2,
  viewer: 10,
  'sign-in': 0.2,
  'lesson page': 6,
  'progress report': 225,
  'exam answer': 5,
  dashboard: 1,
}

// The first process runs the database; the second one is measured, and asks through a proxy that counts.
const first = await startProduct()
const sql = await openProductDatabase(first.folder)
const database = new URL(`postgres://learnify@127.0.0.1:${sql.options.port[0]}/learnify`)
database.password = String(sql.options.pass)
const proxy = await countingProxy(sql.options.port[0])
database.port = String(proxy.port)
const product = await startProduct({
  folder: first.folder,
  variables: {
    DATABASE_URL: database.href,
    LIMIT_SIGN_INS: '1000000',
    LIMIT_REGISTRATIONS_BY_ADDRESS: '1000000',
  },
})
const postmaster = Number(
  readFileSync(path.join(first.folder, 'database/cluster/data/postmaster.pid'), 'utf8').split('\n')[0],
)
try {
  const idle = await measure(() => new Promise((resolve) => setTimeout(resolve, 250)), 80)
  const rows = await measureAll(idle)
  print(rows)
} finally {
  await sql.end()
  await product.stop()
  await first.stop()
  proxy.close()
}

async function measureAll(idle) {
  const port = new URL(product.url).port
  const options = { count: 40, courseId, folder: first.folder, port }
  const { learners, signVisit } = await addSignedInLearners(sql, options)
  await sql`update users set email_verified = true`
  await sql`update enrollments set completed_at = now()`
  const account = { email: 'ada@bench.example', password: 'Long-enough-1' }
  await post('/account/register', { ...account, firstName: 'Ada', lastName: 'Bench' })
  const takers = await startExams(learners)
  const openedAt = Date.now() - 3_600_000
  const of = (turn) => learners[turn % learners.length]
  const report = (turn) => {
    const { uid, cookie } = of(turn)
    const start = Math.floor(turn / learners.length) * 8
    const signature = signVisit(uid, lessonId, openedAt)
    const watched = [[start, start + 8]]
    const studied = [[openedAt + start, openedAt + start + 8]]
    const position = { ms: start + 8, at: openedAt + start }
    return post(
      `/Learn/${courseId}/${lessonId}/progress`,
      { uid, openedAt, signature, watched, studied, position },
      cookie,
    )
  }
  const answer = (turn) => {
    const { cookie, questions } = takers[turn % takers.length]
    const round = Math.floor(turn / takers.length)
    const question = questions[round % questions.length]
    const revision = Math.floor(round / questions.length) + 1
    const { attemptId, number } = question
    return post(
      '/ExamAnswers',
      { attemptId, question: number, value: randomAnswer(question), revision, ageMs: 0 },
      cookie,
    )
  }
  /** @type {Record<string, [(turn: number) => Promise<number>, number]>} */
  const kinds = {
    'kept page': [() => get('/AllCourses'), 4000],
    'rendered page': [(turn) => get(`/AllCourses?category=${turn}`), 600],
    viewer: [(turn) => get(`/viewer?course=${courseId}`, of(turn).cookie), 1200],
    'sign-in': [() => post('/account/login', account), 80],
    'lesson page': [(turn) => get(`/Learn/${courseId}/${lessonId}`, of(turn).cookie), 500],
    'progress report': [report, 2000],
    'exam answer': [answer, 1000],
    dashboard: [(turn) => get('/Profile', of(turn).cookie), 400],
  }
  const rows = {}
  for (const [kind, [ask, count]] of Object.entries(kinds)) {
    let turn = 0
    const once = async () => ask(turn++)
    await measure(once, count / 4)
    rows[kind] = await measure(once, count, idle)
  }
  return rows
}

/** Of `count` calls, each; what happens anyway in the same time is taken off. */
async function measure(ask, count, idle) {
  const [before, startedAt] = [await readCosts(), performance.now()]
  let [left, sent] = [count, 0]
  const work = async () => {
    while (left-- > 0) sent += (await ask()) ?? 0
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const [after, ms] = [await readCosts(), performance.now() - startedAt]
  const cost = { sent: sent / count, ms }
  for (const key of Object.keys(after)) {
    const idleCost = idle ? (idle[key] * idle.count * ms) / idle.ms : 0
    cost[key] = Math.max(0, (after[key] - before[key] - idleCost) / count)
  }
  return { ...cost, count }
}

async function readCosts() {
  const [{ wal }] = await sql`select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`
  const { statements } = proxy.counts()
  return { process: cpuMs(product.pid), postgres: cpuMs(postmaster), statements, wal }
}

/** CPU time of a process, its children, and those of its children that have ended. */
function cpuMs(pid) {
  const fields = (id) =>
    readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  const sum = (numbers) => numbers.reduce((total, number) => total + Number(number), 0) * 10
  const children = readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && fields(id)[1] === String(pid)
    } catch {
      return false
    }
  })
  return sum(fields(pid).slice(11, 15)) + children.reduce((total, id) => total + sum(fields(id).slice(11, 13)), 0)
}

async function startExams(learners) {
  const takers = []
  for (const { cookie } of learners.slice(0, 10)) {
    await get(`/Exam/${courseId}`, cookie, { method: 'POST', body: new URLSearchParams({ intent: 'start' }) })
    const page = (number) =>
      fetch(`${product.url}/Exam/${courseId}?question=${number}`, { headers: { Cookie: cookie } })
    const questions = []
    for (let number = 1, count = 1; number <= count; number++) {
      const question = questionOf(await (await page(number)).text(), number)
      if (!question) throw new Error('An exam did not start.')
      questions.push(question)
      count = question.count
    }
    takers.push({ cookie, questions })
  }
  return takers
}

/** @returns the length of the body as it was sent. */
async function get(address, cookie = '', options = {}) {
  const headers = {
    Origin: product.url,
    'Accept-Encoding': 'br',
    ...(cookie && { Cookie: cookie }),
    ...options.headers,
  }
  const response = await fetch(product.url + address, { ...options, headers, redirect: 'manual' })
  const { length } = await response.text()
  if (response.status >= 400) throw new Error(`${address} was answered with status ${response.status}.`)
  return Number(response.headers.get('content-length') ?? length)
}

function post(address, body, cookie) {
  const headers = { 'Content-Type': 'application/json' }
  return get(address, cookie, { method: 'POST', headers, body: JSON.stringify(body) })
}

function print(rows) {
  const average = learnersADay / 86_400
  const total = { process: 0, postgres: 0, statements: 0, wal: 0, sent: 0, requests: 0 }
  console.log(`\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}\n`)
  console.log(
    '| request | CPU of the process (ms) | CPU of PostgreSQL (ms) | statements | WAL (bytes) | body (bytes) | a learner and day |\n|---|---|---|---|---|---|---|',
  )
  for (const [kind, { process: own, postgres, statements, wal, sent }] of Object.entries(rows)) {
    const times = perLearner[kind]
    const cells = [own.toFixed(2), postgres.toFixed(2), statements.toFixed(1), Math.round(wal), Math.round(sent), times]
    console.log(`| ${kind} | ${cells.join(' | ')} |`)
    total.process += own * times
    total.postgres += postgres * times
    total.statements += statements * times
    total.wal += wal * times
    total.sent += sent * times
    total.requests += times
  }
  const cores = (ms) => ((ms * average) / 1000).toFixed(1)
  const gigabytes = (bytes) => `${((bytes * learnersADay) / 1e9).toFixed(0)} GB`
  const line = (what, mean, most) => console.log(`| ${what} | ${mean} | ${most} |`)
  console.log(
    `\n| ${learnersADay.toLocaleString('en-US')} learners a day need | on average | at the peak (${peak} times) |\n|---|---|---|`,
  )
  const second = (value) => Math.round(value * average).toLocaleString('en-US')
  line('requests a second', second(total.requests), second(total.requests * peak))
  line('cores for Learnify', cores(total.process), cores(total.process * peak))
  line('cores for PostgreSQL', cores(total.postgres), cores(total.postgres * peak))
  line('statements a second', second(total.statements), second(total.statements * peak))
  line('pages and answers, without films', `${gigabytes(total.sent)} a day`, '')
  line('WAL', `${gigabytes(total.wal)} a day`, '')
}
