/**
 * `node bench/exam-survives-kill.mjs [KILLS]`: 10 learners take exams, all at once, over loopback, while the product is
 * killed (SIGKILL) at random moments, every second time together with its database, and started again; a learner goes on
 * with the attempt that the kill interrupted. Then every acknowledged answer, result and certificate has to be there, once.
 * Ends with status 1 otherwise.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { questionOf, randomAnswer } from './exam-page.mjs'
import { killAgainAndAgain } from './killed-product.mjs'
import { startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase } from './product-database.mjs'

const kills = Number(process.argv[2] ?? 20)
const learnerCount = 10
const courseId = 'python-from-zero'
const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-'))
const product = await startProduct({ folder })
const port = new URL(product.url).port
let sql = await openProductDatabase(folder)
const { learners } = await addSignedInLearners(sql, { count: learnerCount, courseId, folder, port })
// A certificate is due as soon as one answer was right, and an exam may be taken again and again, at once.
await sql`update users set email_verified = true where id = any(${learners.map(({ uid }) => uid)})`
await sql`update enrollments set completed_at = now() where uid = any(${learners.map(({ uid }) => uid)})`
await sql`update exams set pass_percent = 1, max_attempts = 100000, minutes_between_attempts = 0 where course_id = ${courseId}`
await sql.end()

/** By attempt: what was sent for each question in order, and the last revision that was acknowledged. */
const states = learners.map((learner) => ({ ...learner, attempts: new Map(), handedIn: new Set(), paper: [] }))
/** Results that were acknowledged before the last kill: only those can have been lost. */
let resultsBeforeLastKill = 0
let running = true
let answers = 0

async function request(state, address, options = {}) {
  const headers = { Origin: product.url, Cookie: state.cookie, ...options.headers }
  const response = await fetch(product.url + address, { ...options, headers, redirect: 'manual' })
  const text = await response.text()
  answers += 1
  return { status: response.status, location: response.headers.get('location') ?? '', text }
}

const form = (fields) => ({ method: 'POST', body: new URLSearchParams(fields) })

async function readQuestion(state, number) {
  const { status, text } = await request(state, `/Exam/${courseId}?question=${number}`)
  return status === 200 ? questionOf(text, number) : null
}

async function giveAnswer(state, question) {
  const questions = state.attempts.get(question.attemptId) ?? new Map()
  state.attempts.set(question.attemptId, questions)
  const given = questions.get(question.number) ?? { sent: [], acknowledged: 0 }
  questions.set(question.number, given)
  const value = randomAnswer(question)
  given.sent.push(value)
  const revision = given.sent.length
  const body = JSON.stringify({ attemptId: question.attemptId, question: question.number, value, revision, ageMs: 0 })
  const send = () =>
    request(state, '/ExamAnswers', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  for (let time = 0; time < (Math.random() < 0.3 ? 2 : 1); time++) {
    const { status, text } = await send()
    if (status === 200) given.acknowledged = revision
    // Handed in before the kill, and the learner was not told.
    else if (status === 410 && state.handingIn === question.attemptId) return
    else if (status < 500) throw new Error(`A good answer got status ${status}: ${text}`)
  }
}

/** Reads the questions of the open attempt, answers them and hands in; what a kill left undone is done at the next call. */
async function takeExam(state) {
  if (state.paper.length === 0) {
    await request(state, `/Exam/${courseId}`, form({ intent: 'start' }))
    const first = await readQuestion(state, 1)
    if (!first) return
    const others = []
    for (let number = 2; number <= first.count; number++) others.push(await readQuestion(state, number))
    if (others.some((question) => question?.attemptId !== first.attemptId)) return
    state.paper = [first, ...others]
  }
  const { attemptId } = state.paper[0]
  for (const question of state.paper) {
    const given = state.attempts.get(attemptId)?.get(question.number)
    if (!given?.acknowledged) await giveAnswer(state, question)
    if (Math.random() < 0.3) await giveAnswer(state, question)
  }
  state.handingIn = attemptId
  const { status, location } = await request(
    state,
    `/Exam/${courseId}`,
    form({ intent: 'hand-in', attempt: attemptId }),
  )
  if (status < 500 && !location.endsWith(attemptId)) throw new Error(`A good hand-in got status ${status}.`)
  if (status >= 500) return
  state.handedIn.add(attemptId)
  state.paper = []
}

/** A killed server ends a request in any way; only a refusal of a good answer is a mistake of the product's. */
async function learn(state) {
  while (running) {
    try {
      await takeExam(state)
    } catch (error) {
      if (error.message.startsWith('A good')) throw error
      await pause(50)
    }
  }
}

const sum = (count) => states.reduce((total, state) => total + count(state), 0)
const learning = Promise.all(states.map(learn))
const { product: last, killedAfter } = await killAgainAndAgain({
  product,
  kills,
  mostAnswers: 300,
  countAnswers: () => answers,
  onKilled() {
    resultsBeforeLastKill = sum(({ handedIn }) => handedIn.size)
  },
})
await pause(2_000)
running = false
await learning
console.log(`, after ${Math.min(...killedAfter)} to ${Math.max(...killedAfter)} of ${answers} answered requests`)

sql = await openProductDatabase(folder)
let failures = 0
for (const state of states) failures += await check(state)
const [{ orphans }] = await sql`select count(*)::int as orphans from certificate_register r
  where not exists (select from certificates c where c.id = r.id)`
if (orphans > 0) console.log(`${orphans} certificates in the register belong to nobody`)
failures += orphans
if (resultsBeforeLastKill === 0) {
  console.log('no result was acknowledged before a kill, so that none could be lost')
  failures += 1
}
await sql.end()
await last.stop()
await rm(folder, { recursive: true, force: true })
const acknowledged = sum(
  ({ attempts }) =>
    [...attempts.values()].flatMap((questions) => [...questions.values()]).filter((given) => given.acknowledged > 0)
      .length,
)
console.log(
  `${acknowledged} acknowledged answers, ${sum(({ handedIn }) => handedIn.size)} acknowledged results, ` +
    `${resultsBeforeLastKill} of them before the last kill, of ${learnerCount} learners: ` +
    (failures === 0 ? 'none missing, none doubled' : `${failures} problems`),
)
process.exit(failures === 0 ? 0 : 1)

async function check({ uid, attempts, handedIn }) {
  const problems = []
  const stored = await sql`select a.attempt_id, drawn.number::int, a.answer, a.revision
    from exam_answers a join exam_attempts e on e.uid = a.uid and e.id = a.attempt_id
      join jsonb_array_elements(e.paper) with ordinality as drawn (entry, number) on entry->'question'->>'id' = a.question_id
    where a.uid = ${uid}`
  const find = (attempt, question) => stored.find((row) => row.attempt_id === attempt && row.number === question)
  for (const [attempt, questions] of attempts) {
    for (const [question, { sent, acknowledged }] of questions) {
      const row = find(attempt, question)
      if (!row && acknowledged > 0) problems.push(`the answer to question ${question} is missing`)
      if (row && row.revision < acknowledged) problems.push(`an older answer to question ${question} stands`)
      if (row && JSON.stringify(row.answer) !== JSON.stringify(sent[row.revision - 1]))
        problems.push(`the answer to question ${question} is another one`)
    }
  }
  const exams = await sql`
    select id, submitted_at, score, (select count(*)::int from activities a where a.uid = ${uid} and a.id = 'exam:' || e.id) as told
    from exam_attempts e where uid = ${uid}`
  const done = exams.filter((exam) => exam.submitted_at)
  for (const id of handedIn) if (!done.some((exam) => exam.id === id)) problems.push(`the result ${id} is missing`)
  if (exams.length - done.length > 1) problems.push('two attempts are open')
  if (done.some((exam) => exam.told !== 1 || exam.score === null)) problems.push('a result was not told exactly once')
  const passed = done.some((exam) => exam.score > 0)
  const [{ held, told, granted }] = await sql`
    select (select count(*)::int from certificates where uid = ${uid}) as held,
      (select count(*)::int from activities where uid = ${uid} and type = 'certificate') as told,
      (select count(*)::int from achievements where uid = ${uid} and achievement_id = 'first-certificate') as granted`
  const expected = passed ? 1 : 0
  if (held !== expected || told !== expected || granted !== expected)
    problems.push(`${held} certificates, told ${told} times, ${granted} achievements, where ${expected} was due`)
  for (const problem of problems) console.log(`${uid}: ${problem}`)
  return problems.length
}
