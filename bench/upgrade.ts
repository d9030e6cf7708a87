/**
 * `node bench/upgrade.ts [COMMIT]`: runs the previous release and this one side by side, on one
 * database and behind nginx with docs/examples/nginx.conf. While learners read, sign up, watch
 * videos and take exams, this release starts and the previous one stops. Then follows the way back.
 *
 * COMMIT is the previous release. By default it is the last tag or, without tags, the commit before
 * the newest migration. Ends with status 1 if a request failed that no browser repeats, or if an
 * acknowledged change is missing.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  connectDatabase,
  findFreePort,
  type Product,
  startProduct,
} from '../tests/support/product.ts'
import { selfSignedCertificate } from '../tests/support/self-signed-certificate.ts'
import { readExampleFile } from './database-server.ts'
import { exitWithProblems, requirePackages } from './figures.ts'
import { addSignedInLearners, allowExam } from './learners.ts'
import { isListening, waitUntil } from './visitors.ts'
import { Workload } from './workload.ts'

const root = path.resolve(import.meta.dirname, '..')
const nginxProgram = '/usr/sbin/nginx'
requirePackages(existsSync(nginxProgram) ? [] : ['nginx'])
// Each run creates a self-signed certificate.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

const commit = git('rev-parse', process.argv[2] ?? findPreviousRelease())
const previousRoot = unpackPreviousRelease(commit)
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-upgrade-'))
// The workers of nginx run as another account, and read files of this folder.
chmodSync(folder, 0o711)
const tlsPort = await findFreePort()
const ports = { previous: await findFreePort(), current: await findFreePort() }
const publicUrl = `https://localhost:${tlsPort}`
const variables = {
  PUBLIC_URL: publicUrl,
  TRUST_PROXY: '127.0.0.1',
  HOST: '127.0.0.1',
}
const dataFolder = path.join(folder, 'data')
const startPrevious = () =>
  startProduct({ root: previousRoot, folder: dataFolder, port: ports.previous, variables })
const startCurrent = () => startProduct({ folder: dataFolder, port: ports.current, variables })

/**
 * Failures of requests that browsers repeat. nginx does not repeat a POST request when a process
 * closes its connection at the same time.
 */
const repeatedRequest = /(progress|ExamAnswers|register): 502 /

const rows: { what: string; written: number; secondsWithoutWrite: number; failed: number }[] = []
const problems: string[] = []
const runningProducts = new Set<Product>()
let stopNginx = () => {}

try {
  const previous = await startAndTrack(startPrevious)
  stopNginx = await startNginx()

  const database = await connectDatabase({ folder: dataFolder })
  const workload = await startWorkload(database)
  await upgradeAndReturn(workload, previous)
  await workload.stop()

  problems.push(...(await workload.ledger.listProblems(database)))
  console.log(`${workload.ledger.countAcknowledged()} acknowledged facts looked for`)
  await database.end()
} catch (error) {
  problems.push(String(error))
} finally {
  stopNginx()
  for (const product of runningProducts) {
    await product.stop()
  }

  rmSync(folder, { recursive: true, force: true })
}

console.log(
  `${git('log', '-1', '--format=%h %s', commit)}\nand ${git('log', '-1', '--format=%h %s')}`,
)
console.table(rows)
exitWithProblems(problems)

/** Adds learners, who start to watch videos and to take exams. Visitors read pages and sign up. */
async function startWorkload(database: Client): Promise<Workload> {
  const { learners, signVisit } = await addSignedInLearners(database, {
    count: 12,
    folder: dataFolder,
    publicUrl,
  })
  await allowExam(database, learners)

  const workload = new Workload(publicUrl)
  workload.start({
    watching: learners.slice(0, 8),
    taking: learners.slice(8),
    readers: 3,
    newcomers: 1,
    signVisit,
    everyMs: 100,
  })

  return workload
}

/** Replaces the previous release by this one, and this one by the previous one again. */
async function upgradeAndReturn(workload: Workload, previous: Product): Promise<void> {
  await measurePhase(workload, 'the former release alone', () => pause(5_000))
  const previousFiles = await listFiles(ports.previous)

  let current: Product | undefined
  await measurePhase(workload, 'this one starts, and both answer', async () => {
    current = await startAndTrack(startCurrent)
    await pause(6_000)
  })
  await measurePhase(workload, 'the former one gets SIGTERM', () => stopAndUntrack(previous))
  await measurePhase(workload, 'this one alone', () => pause(5_000))

  // Pages of the previous release are still open in browsers.
  for (const file of previousFiles) {
    const { status } = await fetch(`http://127.0.0.1:${ports.current}${file}`)
    if (status !== 200) {
      problems.push(`${file} of the former release: ${status}`)
    }
  }

  await measurePhase(workload, 'the way back: the former one starts again', async () => {
    await startAndTrack(startPrevious)
    await pause(6_000)
  })
  await measurePhase(workload, 'this one gets SIGTERM', async () => {
    if (current) {
      await stopAndUntrack(current)
    }
  })
  await measurePhase(workload, 'the former one alone', () => pause(5_000))
}

/** Runs one phase, and adds a row with the writes and failures meanwhile. */
async function measurePhase(
  workload: Workload,
  what: string,
  runPhase: () => Promise<unknown>,
): Promise<void> {
  await runPhase()

  const { written, secondsWithoutWrite } = workload.readAndResetFigures()
  rows.push({ what, written, secondsWithoutWrite, failed: workload.failures.length })

  const failures = workload.failures.splice(0)
  const unexpectedFailures = failures.filter((failure) => !repeatedRequest.test(failure))
  problems.push(...unexpectedFailures.map((failure) => `${what}: ${failure}`))
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

/** Returns the last tag or, without tags, the commit before the newest migration. */
function findPreviousRelease(): string {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) {
    return stdout.trim()
  }

  const migrations = 'app/server/database/migrations/*.sql'
  const newestMigration = git('log', '-1', '--diff-filter=A', '--format=%h', '--', migrations)
  return `${newestMigration}~1`
}

/**
 * Unpacks a commit inside this checkout, so that its packages can be hard links to those of this
 * checkout. `npm start` installs other versions and builds.
 *
 * @returns the folder of the previous release
 */
function unpackPreviousRelease(commit: string): string {
  const releasesFolder = path.join(root, '.cache/former')
  const releaseFolder = path.join(releasesFolder, commit)
  if (existsSync(releaseFolder)) {
    return releaseFolder
  }

  rmSync(releasesFolder, { recursive: true, force: true })
  mkdirSync(releaseFolder, { recursive: true })
  const unpack = 'git archive "$0" | tar -x -C "$1"'
  execFileSync('sh', ['-c', unpack, commit, releaseFolder], { cwd: root })
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), releaseFolder])

  return releaseFolder
}

/** Starts a product, and waits until it is ready. */
async function startAndTrack(start: () => Promise<Product>): Promise<Product> {
  const product = await start()
  runningProducts.add(product)
  await waitUntil('readiness', 60, async () => {
    const response = await fetch(`${product.url}/readyz`).catch(() => null)
    return response?.ok ?? false
  })

  return product
}

async function stopAndUntrack(product: Product): Promise<void> {
  runningProducts.delete(product)
  await product.stop()
}

/** Lists the scripts, styles and fonts that the home page of a process requests. */
async function listFiles(port: number): Promise<string[]> {
  const headers = { 'X-Forwarded-Proto': 'https' }
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers })
  const page = await response.text()
  const files = [...new Set(page.match(/\/assets\/[\w.-]+\.(js|css|woff2)/g))]
  if (files.length < 3) {
    problems.push('the home page names no scripts')
  }

  return files
}

/** Starts nginx with the example's servers. Returns a function that stops nginx. */
async function startNginx(): Promise<() => void> {
  const { key, cert } = selfSignedCertificate('localhost')
  writeFileSync(path.join(folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(path.join(folder, 'cert.pem'), cert)

  const servers = readExampleFile('nginx.conf', [
    ['127.0.0.1:3000', `127.0.0.1:${ports.previous}`],
    ['127.0.0.1:3001', `127.0.0.1:${ports.current}`],
    ['listen 80;', `listen 127.0.0.1:${await findFreePort()};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/ssl/school.example/fullchain.pem', `${folder}/cert.pem`],
    ['/etc/ssl/school.example/privkey.pem', `${folder}/key.pem`],
    ['/var/log/nginx/learnify.log', `${folder}/access.log`],
  ]).replaceAll('school.example', 'localhost')
  const temporaryFolders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  )
  const settingsFile = path.join(folder, 'nginx.conf')
  writeFileSync(
    settingsFile,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${temporaryFolders.join(' ')} ${servers} }`,
  )

  const args = ['-p', folder, '-c', settingsFile, '-e', `${folder}/error.log`]
  const child = spawn(nginxProgram, args, { stdio: 'inherit' })
  await waitUntil('nginx', 10, () => isListening(tlsPort))

  return () => void child.kill('SIGTERM')
}
