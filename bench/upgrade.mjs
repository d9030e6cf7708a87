/**
 * `node bench/upgrade.mjs [COMMIT] [--proxy=haproxy|caddy|nginx]`: the release before this one and this one, side by side on
 * one database behind a real proxy with TLS, while learners read, sign in, report progress and sit exams: the new one
 * starts, the old one gets SIGTERM, and then the way back. COMMIT is the former release: by default the last tag, else the
 * commit of the migration before the newest. Ends with status 1 if a request failed or if something acknowledged is missing.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownRuntime, prepareBuild } from '../scripts/build.ts'
import { freePort } from './product.mjs'
import { addLearnersBehindTls, openProductDatabase } from './product-database.mjs'
import { findMissingProxy, startProxy } from './proxies.mjs'
import { startUpgradeLoad } from './upgrade-load.mjs'

const root = path.resolve(import.meta.dirname, '..')
const proxyName = /--proxy=(\w+)/.exec(process.argv.join(' '))?.[1] ?? 'haproxy'
const missing = findMissingProxy(proxyName)
if (missing) {
  console.error(`Not installed: 'apt-get install ${missing}' on Debian and Ubuntu.`)
  process.exit(2)
}
const commit = git('rev-parse', process.argv.slice(2).find((word) => !word.startsWith('--')) ?? formerRelease())
const courseId = 'python-from-zero'
const rows = []
const problems = []

prepareBuild()
const former = buildFormer()
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-upgrade-'))
// nginx's workers have another account.
chmodSync(folder, 0o711)
const [tlsPort, plainPort, ...ports] = await Promise.all(Array.from({ length: 4 }, freePort))
const origin = `https://school.example:${tlsPort}`
const running = new Set()
let stopProxy = async () => {}
try {
  const variables = {
    PUBLIC_URL: origin,
    TRUST_PROXY: '127.0.0.1',
    HOST: '127.0.0.1',
    DATA_DIR: path.join(folder, 'data'),
    // This machine may have other work; shedding has its own tests.
    SHED_AFTER_MS: '10000',
  }
  const startOld = () => start(former, { ...variables, PORT: String(ports[0]) })
  const startNew = () => start(root, { ...variables, PORT: String(ports[1]) })
  let old = await startOld()
  stopProxy = await startProxy(proxyName, { folder, ports, tlsPort, plainPort })
  const sql = await openProductDatabase(variables.DATA_DIR)
  const load = await startUpgradeLoad({
    sql,
    origin,
    tlsPort,
    courseId,
    ...(await addLearnersBehindTls(sql, { courseId, folder: variables.DATA_DIR, tlsPort })),
  })
  const phase = async (what, event) => {
    const at = performance.now()
    await event()
    rows.push({ what, seconds: Number(((performance.now() - at) / 1000).toFixed(1)), ...load.takeCounts() })
  }
  await phase('the former release alone', () => pause(5_000))
  const formerFiles = await listFiles(ports[0])
  let now
  await phase('this one starts, and both answer', async () => {
    now = await startNew()
    await pause(6_000)
  })
  await phase('the former one gets SIGTERM', () => stop(old))
  await phase('this one alone', () => pause(5_000))
  for (const file of formerFiles) {
    const answer = await fetch(`http://127.0.0.1:${ports[1]}${file}`)
    await answer.arrayBuffer()
    const { status } = answer
    if (status !== 200) problems.push(`${file} of the former release: ${status}`)
  }
  await phase('the way back: the former one starts again', async () => {
    old = await startOld()
    await pause(6_000)
  })
  await phase('this one gets SIGTERM', () => stop(now))
  await phase('the former one alone', () => pause(5_000))
  await load.stop()
  problems.push(...load.failures, ...(await load.listLost()))
  await sql.end()
} catch (error) {
  // What was counted so far is printed all the same.
  problems.push(error.message)
} finally {
  for (const child of running) child.kill('SIGKILL')
  await stopProxy()
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `${git('log', '-1', '--format=%h %s', commit)}\nand ${git('log', '-1', '--format=%h %s')}, behind ${proxyName}`,
)
console.table(rows)
for (const problem of problems.slice(0, 20)) console.log(`PROBLEM: ${problem}`)
console.log(
  problems.length === 0 ? 'No request failed, and nothing acknowledged is missing.' : `${problems.length} problems`,
)
process.exit(problems.length === 0 ? 0 : 1)

function formerRelease() {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: root, encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  const migrations = 'app/server/database/migrations'
  const names = readdirSync(path.join(root, migrations)).filter((name) => name.endsWith('.sql'))
  return git('log', '-1', '--diff-filter=A', '--format=%h', '--', `${migrations}/${names.sort().at(-2)}`)
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

/** Beside this one, so that its packages can be hard links; built once for each commit. */
function buildFormer() {
  const place = path.join(root, '.cache/former', commit)
  if (existsSync(path.join(place, '.cache/built'))) return place
  rmSync(path.join(root, '.cache/former'), { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, place], { cwd: root })
  addPackages(place)
  // Its name until the scripts became TypeScript.
  const script = existsSync(path.join(place, 'scripts/prepare.mjs')) ? 'prepare.mjs' : 'build.ts'
  const build = `import('./scripts/${script}').then(({ prepareBuild }) => prepareBuild())`
  execFileSync(process.execPath, ['-e', build], { cwd: place, stdio: 'inherit' })
  return place
}

/** Of this release, unless the former one had others. */
function addPackages(place) {
  const lock = (folder) => readFileSync(path.join(folder, 'package-lock.json'), 'utf8')
  if (lock(place) === lock(root))
    execFileSync('cp', ['-al', path.join(root, 'node_modules'), path.join(place, 'node_modules')])
  else
    execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: place,
      stdio: 'inherit',
    })
}

/** Without the parts that would install or build. @returns when it is ready. */
async function start(place, variables) {
  const run = "import('./build/server/main.js').then(({ run }) => run())"
  const child = spawn(existsSync(ownRuntime) ? ownRuntime : process.execPath, ['-e', run], {
    cwd: place,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  child.once('exit', (status) => {
    running.delete(child)
    if (status !== 0 && status !== null) problems.push(`a process ended with status ${status}: ${said.slice(0, 1500)}`)
  })
  while (!(await fetch(`http://127.0.0.1:${variables.PORT}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`A process stopped while starting: ${said.slice(0, 1500)}`)
    await pause(100)
  }
  return child
}

/** What an open page of that process may still ask for. */
async function listFiles(port) {
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text()
  const files = [...new Set(page.match(/\/assets\/[\w.-]+\.(js|css|woff2)/g))]
  if (files.length < 3) problems.push('the home page names no scripts')
  return files
}

function stop(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return ended
}
