/** What learners do through a proxy during an upgrade, each answer counted, and what was acknowledged remembered. */
import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { questionOf, randomAnswer } from './exam-page.mjs'

const lessonId = 'names-and-values'
const pieceMs = 10
const stepMs = 15
const addresses = ['/', '/AllCourses', '/OneCourse/python-from-zero', '/AllCourses?q=python', '/Login']
const password = 'Long-enough-1'

/**
 * @returns `takeCounts` for a row of a table since the last call, `failures` as sentences, and after `stop` what
 *   `listLost` finds missing in the database.
 */
export async function startUpgradeLoad({ sql, origin, tlsPort, courseId, learners, signVisit }) {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const failures = []
  const pieces = new Map()
  const accounts = []
  const given = new Map()
  let counts = newCounts()
  let running = true

  /** One request; any error and any status but the expected ones is a failure. */
  function ask(kind, target, { method = 'GET', cookie = '', body = '', type = '', expected = [200] } = {}) {
    const headers = {
      Host: new URL(origin).host,
      Cookie: cookie,
      Accept: 'text/html',
      ...(kind === 'pages' && { 'Accept-Encoding': 'br' }),
    }
    if (method === 'POST')
      Object.assign(headers, { Origin: origin, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
    const at = performance.now()
    return new Promise((resolve) => {
      const done = (status, text, location = '') => {
        const ms = performance.now() - at
        counts[kind] += 1
        counts.slowest = Math.max(counts.slowest, Math.round(ms))
        const good = expected.includes(status)
        if (!good) {
          counts.failed += 1
          failures.push(
            `${new Date().toISOString()} ${method} ${target}: ${status || 'no answer'} ${text.slice(0, 100)}`,
          )
        }
        resolve({ good, text, location, status })
      }
      const options = {
        host: '127.0.0.1',
        port: tlsPort,
        servername: 'school.example',
        path: target,
        method,
        agent,
        headers,
      }
      const question = request(options, async (answer) => {
        const chunks = []
        try {
          for await (const chunk of answer) chunks.push(chunk)
        } catch (error) {
          return done(0, String(error))
        }
        done(answer.statusCode, Buffer.concat(chunks).toString(), answer.headers.location)
      })
      question.once('error', (error) => done(0, String(error)))
      question.end(body)
    })
  }
  const json = (value) => ({ method: 'POST', type: 'application/json', body: JSON.stringify(value) })
  const form = (fields) => ({
    method: 'POST',
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fields).toString(),
  })

  async function read() {
    for (let turn = 0; running; turn++) {
      await ask('pages', addresses[turn % addresses.length])
      await pause(20)
    }
  }
  async function signIn() {
    for (let turn = 0; running; turn++) {
      const email = `new-${turn}@bench.example`
      const account = { email, password, firstName: 'New', lastName: 'Learner' }
      const { good } = await ask('signIns', '/account/register', json(account))
      if (good) {
        accounts.push(email)
        await ask('signIns', '/account/login', json({ email, password }))
      }
      await pause(300)
    }
  }
  async function learn({ uid, cookie }) {
    const openedAt = Date.now() - 3_600_000
    const signature = signVisit(uid, lessonId, openedAt)
    const mine = pieces.set(uid, new Set()).get(uid)
    for (let piece = 0; running && piece < 28_000 / stepMs; piece++) {
      const start = piece * stepMs
      const position = { ms: start, at: openedAt + start }
      const body = { uid, openedAt, signature, watched: [[start, start + pieceMs]], position }
      if ((await ask('reports', `/Learn/${courseId}/${lessonId}/progress`, { ...json(body), cookie })).good)
        mine.add(piece)
      await pause(60)
    }
  }
  async function sitExam({ uid, cookie }) {
    const answers = given.set(uid, new Map()).get(uid)
    await ask('answers', `/Exam/${courseId}`, { ...form({ intent: 'start' }), cookie, expected: [200, 302, 303] })
    const { text } = await ask('answers', `/Exam/${courseId}?question=1`, { cookie })
    const first = questionOf(text, 1)
    if (!first) return failures.push('an exam shows no question')
    for (let revision = 1; running; revision++) {
      const value = randomAnswer(first)
      const answer = { attemptId: first.attemptId, question: 1, value, revision, ageMs: 0 }
      if ((await ask('answers', '/ExamAnswers', { ...json(answer), cookie })).good)
        answers.set(first.attemptId, revision)
      await pause(100)
    }
  }

  const work = Promise.all([
    read(),
    read(),
    signIn(),
    ...learners.slice(0, 8).map(learn),
    ...learners.slice(8).map(sitExam),
  ])
  return {
    failures,
    takeCounts() {
      const taken = counts
      counts = newCounts()
      return taken
    },
    async stop() {
      running = false
      await work
      agent.destroy()
    },
    async listLost() {
      return [
        ...(await listLostPieces(sql, pieces)),
        ...(await listLostAccounts(sql, accounts)),
        ...(await listLostAnswers(sql, given)),
      ]
    },
  }
}

function newCounts() {
  return { pages: 0, signIns: 0, reports: 0, answers: 0, failed: 0, slowest: 0 }
}

async function listLostPieces(sql, pieces) {
  const lost = []
  for (const [uid, acknowledged] of pieces) {
    const stored = await sql`
      select lower(part) as start from lesson_progress, unnest(watched_ms) part where uid = ${uid} and lesson_id = ${lessonId}`
    const found = new Set(stored.map(({ start }) => Math.round(start / stepMs)))
    const missing = [...acknowledged].filter((piece) => !found.has(piece))
    if (missing.length > 0) lost.push(`${missing.length} of ${acknowledged.size} reports of ${uid} are missing`)
    if (acknowledged.size === 0) lost.push(`no report of ${uid} was acknowledged`)
  }
  return lost
}

async function listLostAccounts(sql, accounts) {
  const known = new Set((await sql`select email from users`).map(({ email }) => email))
  return accounts.filter((email) => !known.has(email)).map((email) => `the account ${email} is missing`)
}

async function listLostAnswers(sql, given) {
  const lost = []
  for (const [uid, answers] of given) {
    if (answers.size === 0) lost.push(`no answer of ${uid} was acknowledged`)
    for (const [attempt, revision] of answers) {
      const [row] =
        await sql`select max(revision) as revision from exam_answers where uid = ${uid} and attempt_id = ${attempt}`
      if ((row?.revision ?? 0) < revision) lost.push(`an answer of ${uid} is missing`)
    }
  }
  return lost
}
