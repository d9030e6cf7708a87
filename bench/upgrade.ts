/**
 * `node bench/upgrade.ts [COMMIT]`: the release before this one and this one, side by side on one
 * database behind nginx with docs/examples/nginx.conf, while learners read, sign up, report and
 * take exams: the new one starts, the former one stops, and then the way back. COMMIT is the former
 * release: by default the last tag, else the commit before the newest migration. Ends with status 1
 * if a request failed that no browser repeats, or if something acknowledged is missing.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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
const program = '/usr/sbin/nginx'
requirePackages(existsSync(program) ? [] : ['nginx'])
// The certificate is made for this run.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

const commit = git('rev-parse', process.argv[2] ?? findPreviousRelease())
const previousRoot = unpackPreviousRelease(commit)
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-upgrade-'))
// nginx's workers have another account.
chmodSync(folder, 0o711)
const tlsPort = await findFreePort()
const ports = { previous: await findFreePort(), current: await findFreePort() }
const publicUrl = `https://localhost:${tlsPort}`
const variables = {
  PUBLIC_URL: publicUrl,
  TRUST_PROXY: '127.0.0.1',
  HOST: '127.0.0.1',
}
const data = path.join(folder, 'data')
const startPrevious = () =>
  startProduct({ root: previousRoot, folder: data, port: ports.previous, variables })
const startCurrent = () => startProduct({ folder: data, port: ports.current, variables })

/**
 * nginx sends no change a second time, when a process closes its connection in the same instant;
 * browsers do.
 */
const retried = /(progress|ExamAnswers|register): 502 /

const rows: object[] = []
const problems: string[] = []
const running = new Set<Product>()
let stopProxy = () => {}
try {
  let former = await startAndTrack(startPrevious)
  stopProxy = await startNginx()
  const database = await connectDatabase({ folder: data })
  const { learners, signVisit } = await addSignedInLearners(database, {
    count: 12,
    folder: data,
    publicUrl,
  })

  await allowExam(database, learners)
  const workload = new Workload(publicUrl)
  const [watching, taking] = [learners.slice(0, 8), learners.slice(8)]
  workload.start({ watching, taking, readers: 3, newcomers: 1, signVisit, everyMs: 100 })

  const phase = async (what: string, event: () => Promise<unknown>) => {
    await event()
    const { written, secondsWithoutWrite } = workload.readAndResetFigures()
    rows.push({ what, written, secondsWithoutWrite, failed: workload.failures.length })
    const failures = workload.failures.splice(0).filter((failure) => !retried.test(failure))
    problems.push(...failures.map((failure) => `${what}: ${failure}`))
  }

  await phase('the former release alone', () => pause(5_000))
  const formerFiles = await listFiles(ports.previous)
  let current: Product | undefined
  await phase('this one starts, and both answer', async () => {
    current = await startAndTrack(startCurrent)
    await pause(6_000)
  })
  await phase('the former one gets SIGTERM', () => stopAndUntrack(former))
  await phase('this one alone', () => pause(5_000))
  for (const file of formerFiles) {
    const { status } = await fetch(`http://127.0.0.1:${ports.current}${file}`)
    if (status !== 200) {
      problems.push(`${file} of the former release: ${status}`)
    }
  }

  await phase('the way back: the former one starts again', async () => {
    former = await startAndTrack(startPrevious)
    await pause(6_000)
  })
  await phase('this one gets SIGTERM', async () => current && stopAndUntrack(current))
  await phase('the former one alone', () => pause(5_000))
  await workload.stop()
  problems.push(...(await workload.ledger.listProblems(database)))
  console.log(`${workload.ledger.count()} acknowledged facts looked for`)
  await database.end()
} catch (error) {
  problems.push(String(error))
} finally {
  stopProxy()
  for (const product of running) {
    await product.stop()
  }

  rmSync(folder, { recursive: true, force: true })
}

console.log(
  `${git('log', '-1', '--format=%h %s', commit)}\nand ${git('log', '-1', '--format=%h %s')}`,
)
console.table(rows)
exitWithProblems(problems)

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

function findPreviousRelease(): string {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) {
    return stdout.trim()
  }

  return `${git('log', '-1', '--diff-filter=A', '--format=%h', '--', 'app/server/database/migrations/*.sql')}~1`
}

/**
 * Beside this checkout, so that packages can be hard links; `npm start` there installs the
 * differences and builds.
 */
function unpackPreviousRelease(commit: string): string {
  const place = path.join(root, '.cache/former', commit)
  if (existsSync(place)) {
    return place
  }

  rmSync(path.join(root, '.cache/former'), { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, place], { cwd: root })
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), place])

  return place
}

/** Waits until it is ready; an unexpected error in its log is a problem. */
async function startAndTrack(start: () => Promise<Product>): Promise<Product> {
  const product = await start()
  running.add(product)
  await waitUntil(
    'readiness',
    60,
    async () => (await fetch(`${product.url}/readyz`).catch(() => null))?.ok ?? false,
  )

  return product
}

async function stopAndUntrack(product: Product): Promise<void> {
  running.delete(product)
  await product.stop()
}

/** Files that an open page of that process may still request. */
async function listFiles(port: number): Promise<string[]> {
  const headers = { 'X-Forwarded-Proto': 'https' }
  const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()
  const files = [...new Set(page.match(/\/assets\/[\w.-]+\.(js|css|woff2)/g))]
  if (files.length < 3) {
    problems.push('the home page names no scripts')
  }

  return files
}

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
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  )
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${temporary.join(' ')} ${servers} }`,
  )
  const child = spawn(program, ['-p', folder, '-c', file, '-e', `${folder}/error.log`], {
    stdio: 'inherit',
  })
  await waitUntil('nginx', 10, () => isListening(tlsPort))

  return () => void child.kill('SIGTERM')
}
