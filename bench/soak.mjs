/**
 * `node bench/soak.mjs [MINUTES]`: 300 learners do everything that learners do, at their own pace, for half an hour. Each
 * answer is checked; each minute prints a row. Ends with status 1 if an answer was wrong (a 503 of shedding counts), if
 * memory at the end is more than 1.2 times that of minute 5 (in a short run: of the first third), if p99 of the last third
 * is more than 1.5 times that of the first, or if what was acknowledged isn't stored exactly once.
 */
import path from 'node:path'
import sharp from 'sharp'
import { freePort, startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase } from './product-database.mjs'
import { accountActs } from './soak-account.mjs'
import { checkStored } from './soak-check.mjs'
import { newClient, pick } from './soak-client.mjs'
import { examActs } from './soak-exam.mjs'
import { isPublic, printHead, printKinds, printMinute, quantiles, watchProduct } from './soak-figures.mjs'
import { learnerActs } from './soak-learner.mjs'
import { courseId, newLearner } from './soak-ledger.mjs'

const minutes = Number(process.argv[2] ?? 30)
const learnerCount = 300
const minuteMs = 60_000
/** How often a learner chooses what to do next. */
const weights = {
  ...{ watch: 30, browse: 14, read: 10, search: 8, quiz: 6, exam: 6, note: 5, practice: 5, profile: 5, review: 3 },
  ...{ certificate: 3, enroll: 3, wish: 3, settings: 3, vote: 2, signOutAndIn: 2, archive: 1 },
}
const choices = Object.entries(weights).flatMap(([name, weight]) => Array(weight).fill(name))
if (!(minutes >= 4)) {
  console.log('Give at least 4 minutes.')
  process.exit(1)
}

/** Everybody comes from this machine's one address. */
const limits = ['SIGN_INS', 'REGISTRATIONS_BY_ADDRESS', 'REGISTRATIONS_BY_ADDRESS_AND_DAY', 'EXPORTS', 'PHOTOS']
const metricsPort = await freePort()
/** @type {((bytes: number) => void) | null} */
let onHeap = null
const product = await startProduct({
  variables: {
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: `--import ${path.join(import.meta.dirname, 'heap-report.mjs')}`,
    ...Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, '1000000'])),
  },
  onLine(line) {
    const [, bytes] = /^in use (\d+)/.exec(line) ?? []
    if (bytes) onHeap?.(Number(bytes))
    else console.log(line)
  },
})
const sql = await openProductDatabase(product.folder)
const client = newClient(product.url)
const watch = watchProduct({ pid: product.pid, metricsPort, sql })
try {
  const ledger = await run()
  const passed = verdict(ledger, await checkStored(sql, ledger.learners))
  process.exitCode = passed ? 0 : 1
} finally {
  watch.stop()
  await sql.end()
  await product.stop()
}

async function run() {
  const { seats, learners, acts } = await prepare()
  const work = seats.map(async (seat, place) => {
    await client.attempt(() => client.think([place * 200, place * 200 + 100]))
    while (
      await client.attempt(async () => {
        await acts[pick(choices)](seat)
        await client.think()
      })
    );
  })
  const rows = []
  printHead()
  for (let number = 1; number <= minutes; number++) {
    await new Promise((resolve) => setTimeout(resolve, minuteMs))
    // What was missed yesterday comes back today: a minute is a day.
    await sql`update practice_cards set due_on = due_on - 1, seen_on = seen_on - 1`
    const figures = await watch.take()
    const heapMb = [baseline(), minutes].includes(number) ? await heapAfterGc() : null
    const row = { number, ...client.take(), ...figures, heapMb }
    rows.push(row)
    printMinute(row)
    for (const problem of row.problems.slice(0, 5)) console.log(`PROBLEM ${problem}`)
  }
  client.stop()
  await Promise.all(work)
  return { rows, learners, late: client.take().problems }
}

async function prepare() {
  const port = new URL(product.url).port
  const options = { count: learnerCount, courseId, folder: product.folder, port }
  const { learners: signedIn, signVisit } = await addSignedInLearners(sql, options)
  await sql`update users set email_verified = true where email like '%@bench.example'`
  // Half of them have done all lessons and may get a certificate.
  await sql`update enrollments set completed_at = now() where uid like 'bench-%' and right(uid, 1) in ('0', '2', '4', '6', '8')`
  const facts = {
    courses: (await sql`select id from courses where published and in_catalogue`).map(({ id }) => id),
    lessons: await sql`select id, kind from course_lessons
      where course_id = ${courseId} and not retired and kind <> 'announced'`,
    reviews: await sql`select course_id, id from course_reviews`,
  }
  const seats = signedIn.map(({ uid, cookie }) => {
    const learner = newLearner({ uid })
    learner.enrolled.add(courseId)
    return { learner, cookies: new Map([/** @type {[string, string]} */ (cookie.split(/=(.*)/))]) }
  })
  const learners = seats.map(({ learner }) => learner)
  const confirm = (uid) => sql`update users set email_verified = true where id = ${uid}`
  const readPaper = async (uid, id) =>
    (await sql`select paper from exam_attempts where uid = ${uid} and id = ${id}`)[0]?.paper
  const photo = await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#5140e0' } })
    .png()
    .toBuffer()
  const { acts, viewer } = learnerActs({ client, facts, signVisit })
  const account = accountActs({ client, viewer, ledger: learners, confirm, photo: new Uint8Array(photo) })
  return { seats, learners, acts: { ...acts, ...account, ...examActs({ client, viewer, readPaper }) } }
}

/** The minute with which memory is compared. */
function baseline() {
  return minutes >= 15 ? 5 : Math.ceil(minutes / 3)
}

function heapAfterGc() {
  return new Promise((resolve) => {
    onHeap = (bytes) => resolve(bytes / 1e6)
    process.kill(product.pid ?? 0, 'SIGUSR2')
  })
}

/** @returns whether all is well. The first minute, in which learners arrive, is in no third. */
function verdict({ rows, learners, late }, { facts, problems }) {
  const third = Math.floor((minutes - 1) / 3)
  const p99 = (part, wanted) =>
    quantiles(part.flatMap(({ times }) => times.filter((one) => isPublic(one) === wanted))).p99
  const [first, last] = [rows.slice(1, 1 + third), rows.slice(-third)]
  const memory = /** @type {[number, number]} */ ([rows[baseline() - 1].residentMb, rows.at(-1).residentMb])
  const errors = rows.reduce((sum, row) => sum + row.problems.length, 0) + late.length
  const slower = (wanted) => /** @type {[number, number]} */ ([p99(first, wanted), p99(last, wanted)])
  printKinds(rows.flatMap(({ times }) => times))
  console.log()
  for (const problem of problems) console.log(`NOT STORED AS ACKNOWLEDGED ${problem}`)
  const judge = (what, good) => {
    console.log(`${good ? 'good' : 'BAD '}: ${what}`)
    return good
  }
  const ratio = ([before, after], unit) =>
    `${before.toFixed(0)} ${unit} → ${after.toFixed(0)} ${unit}, ${(after / before).toFixed(2)} times`
  return [
    judge(`memory: ${ratio(memory, 'MB')} (at most 1.2)`, memory[1] <= 1.2 * memory[0]),
    judge(`errors: ${errors}`, errors === 0),
    ...[true, false].map((wanted) => {
      const pair = slower(wanted)
      const whose = wanted ? 'public pages' : 'learners'
      return judge(`p99 of ${whose}: ${ratio(pair, 'ms')} (at most 1.5)`, pair[1] <= 1.5 * pair[0])
    }),
    judge(
      `${facts} acknowledged facts of ${learners.length} learners: ${problems.length} problems`,
      problems.length === 0,
    ),
  ].every(Boolean)
}
