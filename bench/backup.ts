/**
 * `LEARNERS=10000 node bench/backup.ts`: measures the time, size and memory of a backup of a
 * running product with the rows and photos of LEARNERS learners. The backup is restored from the
 * embedded database into Debian's PostgreSQL, and from there back into an embedded database, which
 * has to have the same rows. Needs `apt-get install postgresql`.
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

const learnerCount = Number(process.env.LEARNERS ?? 10_000)
const photoCount = Math.ceil(learnerCount / 10)
/** The size of a photo after the product has converted it. */
const photoBytes = 20_000
const maxMegabytes = 300
requirePackages(missingPackages)

const folder = await mkdtemp(path.join(tmpdir(), 'learnify-bench-backup-'))
const archiveFolder = path.join(folder, 'archives')
const keyFile = path.join(folder, 'key')
const product = await startProduct({ folder: path.join(folder, 'first') })
const server = await startDatabaseServer()

try {
  await addLearners()
  const recipient = await createKey()

  // The rows travel from the embedded database to PostgreSQL, and back to an embedded database.
  const embedded = { DATA_DIR: product.folder, ...recipient }
  const postgres = {
    DATA_DIR: path.join(folder, 'second'),
    DATABASE_URL: server.url,
    ...recipient,
  }
  const embeddedAgain = { DATA_DIR: path.join(folder, 'third') }

  const firstArchive = await measureBackup('the embedded database', embedded)
  const rows = await measureRestore('into PostgreSQL', firstArchive, postgres)
  const secondArchive = await measureBackup('PostgreSQL', postgres)
  const rowsAgain = await measureRestore('into an embedded database', secondArchive, embeddedAgain)

  const areRowsEqual = rows === rowsAgain
  addResult({
    figure: 'rows after the way there and back',
    value: areRowsEqual ? 'the same' : 'others',
    goal: 'the same',
    isMet: areRowsEqual,
  })
} finally {
  await product.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Creates the key of the backups. Returns the setting that names its recipient. */
async function createKey(): Promise<{ BACKUP_RECIPIENT: string }> {
  const { output } = await runCommand('backup', ['--new-key'])
  await writeFile(keyFile, output, { mode: 0o600 })

  const [recipient = ''] = /age1\w+/.exec(output) ?? []
  return { BACKUP_RECIPIENT: recipient }
}

/** Adds learners with about as many rows as one course gives: some 120 rows per learner. */
async function addLearners(): Promise<void> {
  const database = await connectDatabase({ folder: product.folder })
  for (const statement of createLearnerStatements()) {
    await database.query(statement)
  }

  const photoFolder = path.join(product.folder, 'files/photos')
  await mkdir(photoFolder, { recursive: true })
  for (let number = 1; number <= photoCount; number++) {
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

function createLearnerStatements(): string[] {
  const fromLearnerNumbers = `from generate_series(1, ${learnerCount}) n`
  const firstCourse = '(select id from courses order by id limit 1)'

  return [
    `insert into users (id, name, first_name, email, email_verified)
     select
       md5('u' || n),
       'Learner ' || n,
       'Learner',
       'learner-' || n || '@bench.example',
       true
     ${fromLearnerNumbers}`,
    `insert into sessions (id, token, user_id, expires_at)
     select md5('s' || n), md5(random()::text), md5('u' || n), now() + interval '20 days'
     ${fromLearnerNumbers}`,
    `insert into enrollments (uid, course_id)
     select md5('u' || n), id
     ${fromLearnerNumbers}, (select id from courses limit 4) course`,
    `insert into lesson_progress
       (uid, course_id, lesson_id, watched_ms, position_ms, position_at, earned_at)
     select
       md5('u' || n),
       course_id,
       id,
       '{[0,184000),[190000,310000)}',
       310000,
       now(),
       now()
     ${fromLearnerNumbers},
       (select course_id, id from course_lessons order by 1, 2 limit 40) lesson`,
    `insert into study_days (uid, day, studied)
     select
       md5('u' || n),
       date '2026-01-01' + d,
       '{["2026-01-01 09:00:00+00","2026-01-01 09:25:00+00")}'
     ${fromLearnerNumbers}, generate_series(1, 15) d`,
    `insert into activities (uid, id, type, text)
     select md5('u' || n), 'lesson:course:' || a, 'lesson', 'Completed "Names and values"'
     ${fromLearnerNumbers}, generate_series(1, 40) a`,
    `insert into exam_attempts
       (uid, id, course_id, title, paper, submitted_at, score, max_score)
     select md5('u' || n), 'attempt', course_id, title, questions, now(), 8, 10
     ${fromLearnerNumbers}, (select * from exams where course_id = ${firstCourse}) exam`,
  ]
}

/** Makes a backup, and measures its time, size and memory. Returns the path of the archive. */
async function measureBackup(source: string, settings: Settings): Promise<string> {
  const archivesBefore: string[] = await readdir(archiveFolder).catch(() => [])
  const { seconds, megabytes } = await runCommand('backup', [archiveFolder], settings)

  const archives = await readdir(archiveFolder)
  const newArchive = archives.find((name) => !archivesBefore.includes(name)) ?? ''
  const archive = path.join(archiveFolder, newArchive)
  const archiveMegabytes = (await stat(archive)).size / 1e6
  addResult({
    figure: `backup of ${source}`,
    value: `${seconds.toFixed(1)} s, ${archiveMegabytes.toFixed(1)} MB, at most ${megabytes.toFixed(0)} MB of memory`,
    goal: `memory ${maxMegabytes} MB`,
    isMet: megabytes <= maxMegabytes,
  })

  return archive
}

/** Restores an archive, and measures the time and memory. Returns the command's counts of rows. */
async function measureRestore(
  target: string,
  archive: string,
  settings: Settings,
): Promise<string> {
  const args = [archive, '--key', keyFile]
  const { seconds, megabytes, output } = await runCommand('restore', args, settings)
  addResult({
    figure: `restore ${target}`,
    value: `${seconds.toFixed(1)} s, at most ${megabytes.toFixed(0)} MB of memory`,
    goal: `memory ${maxMegabytes} MB`,
    isMet: megabytes <= maxMegabytes,
  })

  // The second archive also has the row that records the first backup.
  const rows = output.slice(output.indexOf('Rows:'))
  return rows.replace(/ {2}last_backup: \d/, '')
}

/** The environment variables of a command. */
type Settings = Record<string, string>

/** Runs an operator's command as npm does, and measures its time and its highest memory. */
async function runCommand(name: string, args: string[], settings: Settings = {}) {
  const startedAt = performance.now()
  const child = spawn('sh', ['-c', `${readPackageScript(name)} "$@"`, 'sh', ...args], {
    env: { ...createProductEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })

  let megabytes = 0
  const memoryTimer = setInterval(() => {
    megabytes = Math.max(megabytes, residentMemory(Number(child.pid)).peak)
  }, 50)
  child.once('exit', () => clearInterval(memoryTimer))

  const status = await new Promise((resolve) => child.once('close', resolve))
  if (status !== 0) {
    throw new Error(`${name} ended with status ${status}.`)
  }

  return { output, megabytes, seconds: (performance.now() - startedAt) / 1000 }
}
