/**
 * `node bench/progress-cost.mjs`: what one progress report costs, beside a plain single-row upsert on the same server in
 * the same run, in turns; how many round trips to the database a report takes; and the time of the dashboard's record for
 * a learner with 200 courses and 10,000 activities. The database is an embedded one of its own, with fsync.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { countingProxy } from './counting-proxy.mjs'
import { addRow } from './rows.mjs'

const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-'))
Object.assign(process.env, { ENV_FILE: '/dev/null', DATA_DIR: folder, LOG_LEVEL: 'silent', NODE_ENV: 'production' })
const { createServer } = await import('vite')
const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' })
const load = (file) => vite.ssrLoadModule(`./app/${file}`)

const { startEmbeddedPostgres } = await load('server/database/embedded-postgres.server.ts')
const { connect: connectDatabase } = await load('server/database/client.server.ts')
const { migrateDatabase } = await load('server/database/migrate.server.ts')
const { loadContent } = await load('server/content/content-loader.server.ts')
const { contentFeatures } = await load('content-features.server.ts')
const { recordLessonWork } = await load('features/learning/course-work/lesson-work-queries.server.ts')
const { courseWork } = await load('features/learning/finished-work.server.ts')
const { openCoursesShown } = await load('features/learning/profile/learner-record.ts')
const { getLearnerRecord } = await load('features/learning/profile/learner-record-queries.server.ts')

const server = await startEmbeddedPostgres({ folder: path.join(folder, 'database') })
const proxy = await countingProxy(Number(new URL(server.url).port))
const { database, client } = connectDatabase(server.url.replace(/:\d+\//, `:${proxy.port}/`), { poolSize: 1 })
const setUp = connectDatabase(server.url)
await migrateDatabase(setUp.client)
await loadContent(setUp.database, 'content', contentFeatures)
await setUp.client.end()
await client`insert into users (id, name, first_name, email) values ('ada', 'Ada', 'Ada', 'ada@bench.example')`
await client`insert into enrollments (uid, course_id) values ('ada', 'python-from-zero')`
await client`insert into sessions (id, token, user_id, expires_at) values ('s', 't', 'ada', now() + interval '1 day')`
await client`create table plain (uid text, lesson_id text, position_ms int, primary key (uid, lesson_id))`

const address = { uid: 'ada', courseId: 'python-from-zero', lessonId: 'names-and-values' }
const openedAt = Date.now() - 3_600_000
let step = 0
const report = () => {
  step += 1
  const end = 1 + (step % 24_000)
  const at = openedAt + step * 100
  const work = {
    watched: [[0, end]],
    position: { ms: end, at },
    mark: null,
    answered: [],
    readToEnd: false,
  }
  return recordLessonWork(courseWork(database), address, { work, studied: [[openedAt, at]], now: new Date() }, 't')
}
const upsert = () => {
  step += 1
  return client`insert into plain values ('ada', 'names-and-values', ${step})
    on conflict (uid, lesson_id) do update set position_ms = excluded.position_ms`
}

for (let run = 0; run < 200; run++) {
  await report()
  await upsert()
}
const before = proxy.counts().roundTrips
for (let run = 0; run < 200; run++) await report()
const roundTrips = (proxy.counts().roundTrips - before) / 200

/** @type {Record<'report' | 'upsert', number[]>} */
const times = { report: [], upsert: [] }
for (let run = 0; run < 3000; run++) {
  times.report.push(await timed(report))
  times.upsert.push(await timed(upsert))
}
console.log(`round trips to the database per report: ${roundTrips.toFixed(2)}`)
print('progress report', times.report)
print('plain single-row upsert', times.upsert)

await addHistory()
const overview = () => getLearnerRecord(database, 'ada', new Date(), { openCourses: openCoursesShown })
await overview()
const beforeRecord = proxy.counts().roundTrips
const record = []
for (let run = 0; run < 100; run++) record.push(await timed(overview))
print('overview, 200 courses, 10,000 activities', record)
const overviewMs = record.toSorted((one, other) => one - other)[50]
addRow({
  figure: 'record of the dashboard',
  value: `p50 ${overviewMs.toFixed(1)} ms`,
  goal: 'p50 8 ms',
  met: overviewMs <= 8,
})
console.log(`round trips to the database per record: ${((proxy.counts().roundTrips - beforeRecord) / 100).toFixed(2)}`)

await client.end()
await server.stop()
await vite.close()
proxy.close()
await rm(folder, { recursive: true, force: true })
process.exit(0)

async function timed(work) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function print(name, values) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(2).padStart(8)
  console.log(`${name.padEnd(42)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   (${values.length} times)`)
}

async function addHistory() {
  await client`insert into courses select (jsonb_populate_record(c, jsonb_build_object('id', 'copy-' || n))).*
    from courses c, generate_series(1, 199) n where c.id = 'python-from-zero'`
  await client`insert into course_lessons
    select (jsonb_populate_record(l, jsonb_build_object('course_id', 'copy-' || n))).*
    from course_lessons l, generate_series(1, 199) n where l.course_id = 'python-from-zero'`
  await client`insert into enrollments (uid, course_id) select 'ada', 'copy-' || n from generate_series(1, 199) n`
  await client`insert into lesson_progress (uid, course_id, lesson_id, earned_at)
    select 'ada', course_id, id, now() from course_lessons where course_id like 'copy-%'`
  await client`insert into activities (uid, id, at, type, text)
    select 'ada', 'e' || n, now() - n * interval '1 minute', 'lesson', 'Lesson ' || n from generate_series(1, 10000) n`
  await client`insert into study_days
    select 'ada', current_date - n, format('{["%1$s 10:00Z","%1$s 11:00Z")}', current_date - n)::tstzmultirange
    from generate_series(1, 999) n`
  await client`analyze`
}
