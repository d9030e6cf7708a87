/**
 * `LEARNERS=10000 node bench/backup.ts`: a backup of a running product with the rows and photos of
 * so many learners: its time, size and memory. It is restored from the embedded database into
 * Debian's PostgreSQL, and from there back into an embedded one, which has to have the same rows.
 * Needs `apt-get install postgresql`.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  connectDatabase,
  createProductEnvironment,
  readPackageScript,
  startProduct,
} from '../tests/support/product.ts'
import { missingPackages, startDatabaseServer } from './database-server.ts'
import { addResult, requirePackages, residentMemory } from './figures.ts'

const learners = Number(process.env.LEARNERS ?? 10_000)
const photos = Math.ceil(learners / 10)
/** Of a converted photo. */
const photoBytes = 20_000
const maxMegabytes = 300
requirePackages(missingPackages)

const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-backup-'))
const archives = path.join(folder, 'archives')
const product = await startProduct({ folder: path.join(folder, 'first') })
const server = await startDatabaseServer()
try {
  await addLearners()
  const keyFile = path.join(folder, 'key')
  const keys = await runCommand('backup', ['--new-key'])
  await writeFile(keyFile, keys.output, { mode: 0o600 })
  const recipient = { BACKUP_RECIPIENT: /age1\w+/.exec(keys.output)?.[0] ?? '' }
  const places = {
    first: { DATA_DIR: product.folder, ...recipient },
    second: { DATA_DIR: path.join(folder, 'second'), DATABASE_URL: server.url, ...recipient },
    third: { DATA_DIR: path.join(folder, 'third') },
  }

  const archive = await measureBackup('the embedded database', places.first)
  const rows = await measureRestore('into PostgreSQL', archive, keyFile, places.second)
  const secondArchive = await measureBackup('PostgreSQL', places.second)
  const rowsAgain = await measureRestore(
    'into an embedded database',
    secondArchive,
    keyFile,
    places.third,
  )
  const met = rows === rowsAgain
  addResult({
    figure: 'rows after the way there and back',
    value: met ? 'the same' : 'others',
    goal: 'the same',
    isMet: met,
  })
} finally {
  await product.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** A rough estimate of one course's progress: some 120 rows per learner. */
async function addLearners(): Promise<void> {
  const database = await connectDatabase({ folder: product.folder })
  const each = `from generate_series(1, ${learners}) n`
  const course = `(select id from courses order by id limit 1)`
  const statements = [
    `insert into users (id, name, first_name, email, email_verified)
      select md5('u' || n), 'Learner ' || n, 'Learner', 'learner-' || n || '@bench.example', true ${each}`,
    `insert into sessions (id, token, user_id, expires_at)
      select md5('s' || n), md5(random()::text), md5('u' || n), now() + interval '20 days' ${each}`,
    `insert into enrollments (uid, course_id) select md5('u' || n), id ${each}, (select id from courses limit 4) c`,
    `insert into lesson_progress (uid, course_id, lesson_id, watched_ms, position_ms, position_at, earned_at)
      select md5('u' || n), course_id, id, '{[0,184000),[190000,310000)}', 310000, now(), now()
      ${each}, (select course_id, id from course_lessons order by 1, 2 limit 40) l`,
    `insert into study_days (uid, day, studied)
      select md5('u' || n), date '2026-01-01' + d, '{["2026-01-01 09:00:00+00","2026-01-01 09:25:00+00")}'
      ${each}, generate_series(1, 15) d`,
    `insert into activities (uid, id, type, text)
      select md5('u' || n), 'lesson:course:' || a, 'lesson', 'Completed "Names and values"' ${each}, generate_series(1, 40) a`,
    `insert into exam_attempts (uid, id, course_id, title, paper, submitted_at, score, max_score)
      select md5('u' || n), 'attempt', course_id, title, questions, now(), 8, 10
      ${each}, (select * from exams where course_id = ${course}) e`,
  ]

  for (const statement of statements) {
    await database.query(statement)
  }

  const photoFolder = path.join(product.folder, 'files/photos')
  await mkdir(photoFolder, { recursive: true })
  for (let number = 1; number <= photos; number++) {
    const name = `${randomBytes(18).toString('base64url')}.webp`
    await writeFile(path.join(photoFolder, name), randomBytes(photoBytes))
    await database.query(`update users set image = $1 where id = md5('u' || $2)`, [
      `/files/photos/${name}`,
      String(number),
    ])
  }

  await database.query('vacuum analyze')
  await database.end()
}

/** @returns the archive's path. */
async function measureBackup(what: string, variables: Record<string, string>): Promise<string> {
  const before: string[] = await readdir(archives).catch(() => [])
  const { seconds, megabytes } = await runCommand('backup', [archives], variables)
  const name = (await readdir(archives)).find((one) => !before.includes(one)) ?? ''
  const archive = path.join(archives, name)
  const size = (await stat(archive)).size / 1e6
  const value = `${seconds.toFixed(1)} s, ${size.toFixed(1)} MB, at most ${megabytes.toFixed(0)} MB of memory`
  addResult({
    figure: `backup of ${what}`,
    value,
    goal: `memory ${maxMegabytes} MB`,
    isMet: megabytes <= maxMegabytes,
  })

  return archive
}

/** @returns the restored rows, as the command counts them. */
async function measureRestore(
  what: string,
  archive: string,
  keyFile: string,
  variables: Record<string, string>,
): Promise<string> {
  const { seconds, megabytes, output } = await runCommand(
    'restore',
    [archive, '--key', keyFile],
    variables,
  )
  const value = `${seconds.toFixed(1)} s, at most ${megabytes.toFixed(0)} MB of memory`
  addResult({
    figure: `restore ${what}`,
    value,
    goal: `memory ${maxMegabytes} MB`,
    isMet: megabytes <= maxMegabytes,
  })

  return output.slice(output.indexOf('Rows:')).replace(/ {2}last_backup: \d/, '')
}

/** Runs an operator's command as npm does, and watches its memory. */
async function runCommand(name: string, words: string[], variables: Record<string, string> = {}) {
  const startedAt = performance.now()
  const child = spawn('sh', ['-c', `${readPackageScript(name)} "$@"`, 'sh', ...words], {
    env: { ...createProductEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [output, megabytes] = ['', 0]
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, residentMemory(Number(child.pid)).peak)
  }, 50)
  child.once('exit', () => clearInterval(watch))
  const status = await new Promise((resolve) => child.once('close', resolve))
  if (status !== 0) {
    throw new Error(`${name} ended with status ${status}.`)
  }

  return { output, megabytes, seconds: (performance.now() - startedAt) / 1000 }
}
