/**
 * `node bench/progress-survives-kill.mjs [KILLS]`: 50 learners report what they watch, all at once, over loopback, while
 * the product is killed (SIGKILL) at random moments, every second time together with its database, and started again.
 * Then every report that was acknowledged has to be stored, once, and nothing that was never sent. Ends with status 1
 * otherwise.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { killAgainAndAgain } from './killed-product.mjs'
import { startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase, readStoredStudy } from './product-database.mjs'

const kills = Number(process.argv[2] ?? 20)
const courseId = 'python-from-zero'
const lessonId = 'names-and-values'
const quizId = 'check-values-and-names'
const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-'))
const product = await startProduct({ folder })
const port = new URL(product.url).port
let sql = await openProductDatabase(folder)
const { learners, signVisit } = await addSignedInLearners(sql, { count: 50, courseId, folder, port })
await sql.end()

const openedAt = Date.now() - 3_600_000
/** Each report is a piece of its own, with a gap to the next, so that a missing or doubled one shows. */
const pieceMs = 10
const stepMs = 15
const pieces = 28_000 / stepMs
const states = learners.map((learner) => ({
  ...learner,
  next: 0,
  sent: new Set(),
  acknowledged: new Set(),
  marked: false,
}))
let running = true
let answers = 0

const report = async (state, lesson, part) => {
  const body = { uid: state.uid, openedAt, signature: signVisit(state.uid, lesson, openedAt), ...part }
  const response = await fetch(`${product.url}/Learn/${courseId}/${lesson}/progress`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: product.url, Cookie: state.cookie },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  answers += 1
  if (response.status >= 400 && response.status < 500) throw new Error(`A good report got status ${response.status}.`)
  return response.status === 200
}

async function learn(state) {
  while (running && state.next < pieces) {
    const piece = state.next
    const start = Math.round(piece * stepMs)
    const part = {
      watched: [[start, start + pieceMs]],
      studied: [[openedAt + start, openedAt + start + pieceMs]],
      position: { ms: start, at: openedAt + start },
    }
    state.sent.add(piece)
    const outcome = await attempt(state, lessonId, part)
    if (outcome === 'nobody there') {
      // It never left: the same piece is tried again.
      await pause(50)
      continue
    }
    state.next += 1
    if (outcome === 'taken') state.acknowledged.add(piece)
    // Every third is sent twice, acknowledged or not; of the others, what was lost on the way stays lost.
    if (piece % 3 === 0 && (await attempt(state, lessonId, part)) === 'taken') state.acknowledged.add(piece)
    if (piece % 20 === 19 && !state.marked) {
      state.marked = (await attempt(state, quizId, { mark: { value: 'done', at: openedAt + start } })) === 'taken'
    }
  }
}

/** A killed server ends a request in any way; only a refusal of a good report is a mistake of the product's. */
async function attempt(state, lesson, part) {
  try {
    return (await report(state, lesson, part)) ? 'taken' : 'lost'
  } catch (error) {
    if (error.message.startsWith('A good report')) throw error
    return error.cause?.code === 'ECONNREFUSED' || error.cause?.errors ? 'nobody there' : 'lost'
  }
}

const learning = Promise.all(states.map(learn))
const { product: last, killedAfter } = await killAgainAndAgain({
  product,
  kills,
  mostAnswers: 200,
  countAnswers: () => answers,
})
await pause(300)
running = false
await learning
console.log(`, after ${Math.min(...killedAfter)} to ${Math.max(...killedAfter)} of ${answers} answered reports`)

sql = await openProductDatabase(folder)
let failures = 0
for (const state of states) failures += await check(state)
await sql.end()
await last.stop()
await rm(folder, { recursive: true, force: true })
const acknowledged = states.reduce((sum, state) => sum + state.acknowledged.size, 0)
console.log(
  `${acknowledged} acknowledged pieces of 50 learners: ${failures === 0 ? 'none missing, none counted twice' : `${failures} problems`}`,
)
process.exit(failures === 0 ? 0 : 1)

async function check({ uid, sent, acknowledged, marked }) {
  const { stored, studied } = await readStoredStudy(sql, uid, lessonId)
  const [{ told, done }] = await sql`
    select (select count(*)::int from activities where uid = ${uid} and id like 'lesson:%') as told,
      exists (select from lesson_progress where uid = ${uid} and lesson_id = ${quizId} and done) as done`
  const found = new Set(stored.map(({ start }) => Math.round(start / stepMs)))
  const problems = [
    ...[...acknowledged].filter((piece) => !found.has(piece)).map((piece) => `piece ${piece} is missing`),
    ...[...found].filter((piece) => !sent.has(piece)).map((piece) => `piece ${piece} was never sent`),
    stored.some(({ start, stop }) => stop - start !== pieceMs) && 'a piece has another length',
    studied !== found.size * pieceMs && `${studied} ms studied, ${found.size * pieceMs} ms stored`,
    marked && !done && 'an acknowledged mark is missing',
    told !== (done ? 1 : 0) && `a finished lesson was told ${told} times`,
  ].filter(Boolean)
  for (const problem of problems) console.log(`${uid}: ${problem}`)
  return problems.length
}
