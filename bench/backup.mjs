/**
 * A backup of a running product with LEARNERS (10,000) learners' rows and photos: its time, size and memory; then restored
 * from the embedded database into Debian's PostgreSQL 15, and from there back into an embedded one, with the same rows. Needs
 * `apt-get install postgresql-15 pgbouncer age`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findMissingPackages, startDebianDatabase } from './debian-database.mjs'
import { startProduct } from './product.mjs'
import { openProductDatabase } from './product-database.mjs'
import { addRow, requirePackages } from './rows.mjs'

const learners = Number(process.env.LEARNERS ?? 10_000)
const photos = Math.ceil(learners / 10)
const root = path.resolve(import.meta.dirname, '..')
requirePackages([findMissingPackages(), !existsSync('/usr/bin/age') && 'age'].filter(Boolean).join(' '))

const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-backup-'))
const product = await startProduct({ folder: path.join(folder, 'first') })
const debian = await startDebianDatabase({ poolSize: 5 })
try {
  const sql = await openProductDatabase(product.folder)
  await addLearners(sql)
  await addPhotos(sql)
  await printSizes(sql)
  await sql.end()

  const keys = (await command('backup', ['--new-key'])).output
  await writeFile(path.join(folder, 'key'), keys, { mode: 0o600 })
  const open = { BACKUP_RECIPIENT: /age1\w+/.exec(keys)?.[0] ?? '' }
  const first = await backUp('of the embedded database', { DATA_DIR: product.folder, ...open })
  const inDebian = { DATA_DIR: path.join(folder, 'second'), DATABASE_URL: debian.directUrl }
  const firstRows = await restore('into PostgreSQL 15', first, inDebian)
  const second = await backUp('of PostgreSQL 15', { ...inDebian, ...open })
  const secondRows = await restore('into an embedded database', second, { DATA_DIR: path.join(folder, 'third') })
  const same = firstRows === secondRows
  addRow({
    figure: 'rows after the way there and back',
    value: same ? 'the same' : 'others',
    goal: 'the same',
    met: same,
  })

  const list = `age -d -i ${folder}/key ${second} | tar tzf - | wc -l`
  const opened = spawnSync('bash', ['-o', 'pipefail', '-c', list], { encoding: 'utf8' })
  const entries = opened.stdout.trim()
  addRow({ figure: 'opened by age and tar', value: `${entries} entries`, goal: 'opens', met: opened.status === 0 })
} finally {
  await product.stop()
  await debian.stop()
  await rm(folder, { recursive: true, force: true })
}

/** What ten courses' worth of work leaves behind, at a rough guess; a hundred rows a learner. */
async function addLearners(sql) {
  await sql.begin(async (transaction) => {
    const run = (text) => transaction.unsafe(text, [learners])
    await run(`insert into users (id, name, first_name, last_name, email, timezone, email_verified)
      select md5('u' || n), 'Learner ' || n, 'Learner', n::text, 'learner-' || n || '@bench.example', 'Europe/Berlin', true
      from generate_series(1, $1::int) n`)
    await run(`insert into identities (id, user_id, provider_id, account_id, password, proven)
      select md5('i' || n), md5('u' || n), 'credential', md5('u' || n), '$argon2id$v=19$m=19456,t=2,p=1$' || md5(random()::text) || md5(random()::text), true
      from generate_series(1, $1::int) n`)
    await run(`insert into sessions (id, token, user_id, expires_at, ip_address, user_agent)
      select md5('s' || n), md5(random()::text), md5('u' || n), now() + interval '20 days', '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
      from generate_series(1, $1::int) n`)
    await run(`insert into enrollments (uid, course_id, enrolled_at)
      select md5('u' || n), id, now() from generate_series(1, $1::int) n, (select id from courses order by id limit 4) c`)
    await run(`insert into lesson_progress (uid, course_id, lesson_id, watched_ms, position_ms, position_at, earned_at)
      select md5('u' || n), course_id, id, '{[0,184000),[190000,310000)}', 310000, now(), now()
      from generate_series(1, $1::int) n, (select course_id, id from course_lessons where course_id in (select id from courses order by id limit 4) order by 1, 2 limit 40) l`)
    await run(`insert into study_days (uid, day, studied)
      select md5('u' || n), '2026-01-01'::date + d, ('{["2026-01-01 09:00:00+00","2026-01-01 09:25:00+00")}')::tstzmultirange
      from generate_series(1, $1::int) n, generate_series(1, 15) d`)
    await run(`insert into activities (uid, id, type, text)
      select md5('u' || n), 'lesson:course:lesson-' || a, 'lesson', 'Completed "Names and values" in Python from Zero'
      from generate_series(1, $1::int) n, generate_series(1, 30) a`)
    await run(`insert into notes (uid, id, course_id, lesson_id, body, html, rendering)
      select md5('u' || n), md5('n' || a), l.course_id, l.id, repeat('A note about this lesson. ', 8), repeat('<p>A note about this lesson.</p>', 8), 1
      from generate_series(1, $1::int) n, generate_series(1, 3) a, (select course_id, id from course_lessons order by 1, 2 limit 1) l`)
    await run(`insert into exam_attempts (uid, id, course_id, title, paper, submitted_at, score, max_score)
      select md5('u' || n), 'attempt', course_id, title, (select jsonb_agg(jsonb_build_object('question', q, 'order', '[0,1,2,3]'::jsonb)) from jsonb_array_elements(questions) q), now(), 8, 10
      from generate_series(1, $1::int) n, (select * from exams order by course_id limit 1) e`)
    await run(`insert into exam_answers (uid, attempt_id, question_id, answer, revision, answered_at)
      select md5('u' || n), 'attempt', 'question-' || q, '1', 2, now() from generate_series(1, $1::int) n, generate_series(1, 10) q`)
    await run(`insert into practice_cards (uid, course_id, question_id, lesson_id, stability, difficulty, seen_at, seen_on, due_on)
      select md5('u' || n), l.course_id, md5('q' || q), l.id, 3.14, 5.5, now(), '2026-11-20', '2026-11-24'
      from generate_series(1, $1::int) n, generate_series(1, 5) q, (select course_id, id from course_lessons order by 1, 2 limit 1) l`)
    await run(`insert into bookmarks (uid, course_id, lesson_id)
      select md5('u' || n), l.course_id, l.id from generate_series(1, $1::int) n, (select course_id, id from course_lessons order by 1, 2 limit 2) l`)
    await run(`insert into wishes (uid, course_id)
      select md5('u' || n), id from generate_series(1, $1::int) n, (select id from courses order by id limit 2) c`)
    await run(`insert into certificate_register (id, course_id, course_title, lessons, material_seconds, exam_score, exam_max_score, issued_at, status_list, status_index)
      select md5('c' || n), (select min(id) from courses), 'A course', 10, 3600, 8, 10, now(), 2 + n / 100000, n % 100000
      from generate_series(1, $1::int) n`)
    await run(`insert into certificates (uid, course_id, id, learner_name)
      select md5('u' || n), (select min(id) from courses), md5('c' || n), 'Learner ' || n from generate_series(1, $1::int) n`)
  })
  await sql.unsafe('vacuum analyze')
}

/** As large as a converted photo. */
async function addPhotos(sql) {
  const place = path.join(product.folder, 'files/photos')
  await mkdir(place, { recursive: true })
  const rows = await sql`select id from users where email like '%@bench.example' limit ${photos}`
  for (const { id } of rows) {
    const name = `${randomBytes(18).toString('base64url')}.webp`
    await writeFile(path.join(place, name), randomBytes(20_000))
    await sql`update users set image = ${`/files/photos/${name}`} where id = ${id}`
  }
}

async function printSizes(sql) {
  const rows = await sql`
    select relname as name, n_live_tup::int as rows, pg_total_relation_size(relid)::int as bytes
    from pg_stat_user_tables where n_live_tup >= ${learners} order by bytes desc`
  console.log('\nBytes a row on disk, indexes included')
  for (const { name, rows: count, bytes } of rows)
    console.log(`  ${name}: ${Math.round(bytes / count)} (${count} rows)`)
  const total = rows.reduce((sum, { rows: count }) => sum + count, 0)
  console.log(`  together ${total} rows, ${Math.round(rows.reduce((sum, row) => sum + row.bytes, 0) / 1e6)} MB\n`)
}

async function backUp(what, variables) {
  const place = path.join(folder, 'backups')
  const before = new Set(await readdir(place).catch(() => []))
  const { seconds, megabytes } = await command('backup', [place], variables)
  const file = path.join(place, (await readdir(place)).find((name) => !before.has(name)) ?? '')
  const size = ((await stat(file)).size / 1e6).toFixed(1)
  const value = `${seconds.toFixed(1)} s, ${size} MB, at most ${megabytes} MB of memory`
  addRow({ figure: `backup ${what}`, value, goal: 'memory up to 300 MB', met: megabytes <= 300 })
  return file
}

/** @returns the restored rows, as the command counts them. */
async function restore(what, archive, variables) {
  const { seconds, megabytes, output } = await command('restore', [archive, '--key', `${folder}/key`], variables)
  const value = `${seconds.toFixed(1)} s, at most ${megabytes} MB of memory`
  addRow({ figure: `restore ${what}, read back`, value, goal: 'memory up to 300 MB', met: megabytes <= 300 })
  return output.slice(output.indexOf('Rows:')).replace(/ {2}last_backup: \d/, '')
}

/** Runs an operator's command, and watches its memory. */
async function command(name, words, variables = {}) {
  const begin = performance.now()
  const child = spawn(path.join(root, 'node_modules/.bin/node'), ['scripts/learnify.ts', name, ...words], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  let kilobytes = 0
  const watch = setInterval(() => {
    if (!existsSync(`/proc/${child.pid}/status`)) return
    const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    kilobytes = Math.max(kilobytes, Number(peak ?? 0))
  }, 20)
  const status = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(watch)
  if (status !== 0) throw new Error(`${name} ended with status ${status}.`)
  return { output, seconds: (performance.now() - begin) / 1000, megabytes: Math.round(kilobytes / 1000) }
}
