/**
 * 200 learners at work through the balancer: they report films, answer exams, sign up and read. Whoever gets no answer asks
 * the same again, like a browser does; what was acknowledged is remembered, and compared with the database at the end.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { questionOf, randomAnswer } from '../exam-page.mjs'

export const courseId = 'python-from-zero'
const lessonId = 'names-and-values'
const counts = { watching: 140, exams: 30, reading: 25, signingUp: 5 }
export const learnerCount = counts.watching + counts.exams + counts.reading
const betweenMs = 1_000
export const startingMs = 10_000
/** Each report is a piece of its own, with a gap to the next, so that a missing or doubled one shows. */
const pieceMs = 10
const stepMs = 15
const pieces = Math.floor(28_000 / stepMs)

export function newLearners({ url, learners, signVisit }) {
  const watching = learners
    .slice(0, counts.watching)
    .map((one) => ({ ...one, sent: new Set(), acknowledged: new Set() }))
  const taking = learners.slice(counts.watching, counts.watching + counts.exams)
  const exams = taking.map((one) => ({ ...one, answers: new Map() }))
  const reading = learners.slice(counts.watching + counts.exams)
  const registered = new Set()
  const tally = { written: 0, read: 0, refused: 0, lastAt: Date.now(), longestMs: 0, statuses: new Map() }
  const openedAt = Date.now() - 3_600_000
  let running = true
  /** @type {Promise<unknown>} */
  let work = Promise.resolve()

  async function ask(address, options = {}) {
    const headers = { Origin: url, ...options.headers }
    const signal = AbortSignal.timeout(30_000)
    const response = await fetch(url + address, { redirect: 'manual', ...options, headers, signal }).catch(() => null)
    const text = await response?.text().catch(() => null)
    const status = text === null || text === undefined ? 0 : (response?.status ?? 0)
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    if (status === 0 || status >= 500) tally.refused += 1
    return { status, text: text ?? '' }
  }

  /** Until there is an answer. @returns its status; null if there was none before the end. */
  async function insist(address, body, cookie) {
    const headers = { 'Content-Type': 'application/json', ...(cookie && { Cookie: cookie }) }
    while (running) {
      const { status } = await ask(address, { method: 'POST', headers, body: JSON.stringify(body) })
      if (status === 200) {
        tally.longestMs = Math.max(tally.longestMs, Date.now() - tally.lastAt)
        tally.lastAt = Date.now()
        tally.written += 1
      }
      if (status > 0 && status < 500) return status
      await pause(500)
    }
    return null
  }

  async function watch({ uid, cookie, sent, acknowledged }) {
    const signature = signVisit(uid, lessonId, openedAt)
    for (let piece = 0; running && piece < pieces; piece++) {
      const [start, end] = [piece * stepMs, piece * stepMs + pieceMs]
      const watched = [[start, end]]
      const studied = [[openedAt + start, openedAt + end]]
      const body = { uid, openedAt, signature, watched, studied, position: { ms: start, at: openedAt + start } }
      sent.add(piece)
      const status = await insist(`/Learn/${courseId}/${lessonId}/progress`, body, cookie)
      if (status === 200) acknowledged.add(piece)
      else if (status) throw new Error(`A good report got status ${status}.`)
      await pause(betweenMs * (0.5 + Math.random()))
    }
  }

  async function takeExam({ cookie, answers }) {
    const headers = { Cookie: cookie }
    const questionPage = async (number) =>
      questionOf((await ask(`/Exam/${courseId}?question=${number}`, { headers })).text, number)
    /** @type {ReturnType<typeof questionOf>} */
    let first = null
    while (running && !first) {
      const body = new URLSearchParams({ intent: 'start' })
      await ask(`/Exam/${courseId}`, { method: 'POST', headers, body })
      first = await questionPage(1)
      if (!first) await pause(500)
    }
    if (!first) return
    const { attemptId } = first
    for (let turn = 0; running; turn++) {
      const number = (turn % first.count) + 1
      const given = answers.get(number) ?? { attemptId, sent: [], acknowledged: 0, question: null }
      answers.set(number, given)
      given.question ??= await questionPage(number)
      if (given.question) {
        const value = randomAnswer(given.question)
        const revision = given.sent.push(value)
        const status = await insist('/ExamAnswers', { attemptId, question: number, value, revision, ageMs: 0 }, cookie)
        if (status === 200) given.acknowledged = revision
        else if (status) throw new Error(`A good answer got status ${status}.`)
      }
      await pause(betweenMs * (0.5 + Math.random()))
    }
  }

  async function read({ cookie }) {
    const pages = ['/', '/AllCourses', `/OneCourse/${courseId}`, '/AllCourses?search=python']
    for (let turn = 0; running; turn++) {
      const { status } = await ask(pages[turn % pages.length] ?? '/')
      if (status === 200) tally.read += 1
      await ask(`/viewer?course=${courseId}`, { headers: { Cookie: cookie } })
      await pause(betweenMs * (0.5 + Math.random()))
    }
  }

  async function signUp(place) {
    for (let turn = 0; running; turn++) {
      const email = `new-${place}-${turn}@bench.example`
      const account = { email, password: 'Long-enough-1', firstName: 'New', lastName: 'Learner' }
      const status = await insist('/account/register', account)
      // Known already: it was stored, and the answer was lost.
      if (status === 200 || status === 409) registered.add(email)
      else if (status) throw new Error(`A good registration got status ${status}.`)
      await pause(3 * betweenMs)
    }
  }

  return {
    tally,
    start() {
      // One after the other, as in life.
      const soon = (begin) => async (one, place) => {
        await pause(startingMs * Math.random())
        await begin(one, place)
      }
      work = Promise.all([
        ...watching.map(soon(watch)),
        ...exams.map(soon(takeExam)),
        ...reading.map(soon(read)),
        ...Array.from({ length: counts.signingUp }, (_, place) => soon(signUp)(place)),
      ])
      work.catch(() => {})
    },
    async stop() {
      running = false
      await work
    },
    check: (sql) => checkStored(sql, { watching, exams, registered }),
  }
}

/** @returns how much was acknowledged, what of it is lost, and what is there twice or was never sent. */
async function checkStored(sql, { watching, exams, registered }) {
  const result = { acknowledged: 0, lost: 0, doubled: 0 }
  for (const { uid, sent, acknowledged } of watching) {
    const films =
      await sql`select lower(part) as start, upper(part) as end from lesson_progress, unnest(watched_ms) part
      where uid = ${uid} and lesson_id = ${lessonId}`
    const found = new Set(films.map(({ start }) => start / stepMs))
    result.acknowledged += acknowledged.size
    result.lost += [...acknowledged].filter((piece) => !found.has(piece)).length
    result.doubled += films.filter(({ start, end }) => !sent.has(start / stepMs) || end - start !== pieceMs).length
    const [{ ms }] = await sql`select coalesce(sum(extract(epoch from upper(part) - lower(part)) * 1000), 0)::int as ms
      from study_days, unnest(studied) part where uid = ${uid}`
    if (ms !== found.size * pieceMs) result.doubled += 1
  }
  for (const { uid, answers } of exams) {
    const stored = await sql`select a.attempt_id, drawn.number::int, a.answer, a.revision
      from exam_answers a join exam_attempts e on e.uid = a.uid and e.id = a.attempt_id
        join jsonb_array_elements(e.paper) with ordinality as drawn (entry, number) on entry->'question'->>'id' = a.question_id
      where a.uid = ${uid}`
    const [{ attempts }] = await sql`select count(*)::int as attempts from exam_attempts where uid = ${uid}`
    if (attempts > 1) result.doubled += attempts - 1
    for (const [number, { sent, acknowledged }] of answers) {
      const rows = stored.filter((row) => row.number === number)
      const [row] = rows
      if (acknowledged > 0) result.acknowledged += 1
      if (acknowledged > (row?.revision ?? 0)) result.lost += 1
      if (rows.length > 1) result.doubled += rows.length - 1
      if (row && JSON.stringify(row.answer) !== JSON.stringify(sent[row.revision - 1])) result.lost += 1
    }
  }
  const accounts = await sql`select u.email, count(i.id)::int as passwords from users u
    left join identities i on i.user_id = u.id where u.email like 'new-%' group by u.id`
  const known = new Set(accounts.map(({ email }) => email))
  result.acknowledged += registered.size
  result.lost += [...registered].filter((email) => !known.has(email)).length
  result.doubled += accounts.length - known.size + accounts.filter(({ passwords }) => passwords !== 1).length
  return result
}
