/**
 * `node bench/release.mjs`: makes both archives of a release and runs them as a server would: unpacked into a folder that
 * nobody can write to, by an ordinary account, with no Node.js, npm or network around. Ends with status 1 if one is too
 * large, if something does not work, or if anything was written beside the code.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checklist } from './checklist.mjs'
import { freePort } from './product.mjs'

const root = path.resolve(import.meta.dirname, '..')
const isRoot = process.getuid?.() === 0
const mostMegabytes = { whole: 120, withoutDatabase: 60 }
/** Until the first page: CPU time, which a busy machine changes little, and time by the clock. */
const most = { cpuSeconds: 15, seconds: 180 }

if (isRoot && !process.env.LEARNIFY_OFFLINE) {
  // Once more, where this machine's loopback is the only network, and a mount is nobody else's.
  const words = [
    '--net',
    '--mount',
    'sh',
    '-c',
    'ip link set lo up && exec "$0" "$@"',
    process.execPath,
    ...process.argv.slice(1),
  ]
  const { status } = spawnSync('unshare', words, { stdio: 'inherit', env: { ...process.env, LEARNIFY_OFFLINE: '1' } })
  process.exit(status ?? 1)
}

const { check, end } = checklist()
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-release-'))
execFileSync('chmod', ['755', folder])
const home = path.join(folder, 'home')
mkdirSync(home)
/** Of 'nobody', who owns no file. */
const account = isRoot ? { uid: 65_534, gid: 65_534 } : {}
if (account.uid) chownSync(home, account.uid, account.gid)
const surroundings = { HOME: home, PATH: '/usr/bin:/bin', LOG_LEVEL: 'error' }
const products = []

try {
  if (!isRoot) console.log("Not root, so the network stays and the code's owner could write to it.")
  const whole = makeArchive('whole', [])
  const small = makeArchive('withoutDatabase', ['--without-database'])
  const release = unpack(whole, 'whole')
  const before = fingerprint(release)
  await checkUnit(release)
  await runWhole(release)
  await runWithoutDatabase(unpack(small, 'small'))
  await check('nothing was written beside the code', () => assert.deepEqual(fingerprint(release), before))
} finally {
  for (const product of products) if (product.child.exitCode === null) await product.stop()
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
}
end('The release works.')

function makeArchive(kind, words) {
  const output = execFileSync(process.execPath, ['scripts/release.ts', ...words], { cwd: root, encoding: 'utf8' })
  const [, file = '', megabytes] = /^(release\/\S+)\n.*content ([\d.]+) MB$/m.exec(output) ?? []
  console.log(`${output.trim()} (goal: at most ${mostMegabytes[kind]} MB)`)
  void check(`the archive is small enough: ${kind}`, () => assert.ok(Number(megabytes) <= mostMegabytes[kind]))
  return path.join(root, file)
}

/** Owned by root where possible, as on a server; then no account may write to it. */
function unpack(archive, name) {
  const target = path.join(folder, name)
  mkdirSync(target)
  execFileSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1', '--no-same-owner'])
  execFileSync('chmod', ['-R', 'a-w', target])
  return target
}

/** Name, size, mode and time of everything below. */
function fingerprint(release) {
  return readdirSync(release, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mode, mtimeMs } = lstatSync(path.join(release, name))
    return `${name} ${size} ${mode} ${mtimeMs}`
  })
}

function learnify(release, words, variables = {}) {
  return spawn(path.join(release, 'bin/learnify'), words, {
    cwd: '/',
    env: { ...surroundings, ...variables },
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function start(release, variables = {}) {
  const port = await freePort()
  const startedAt = performance.now()
  const child = learnify(release, [], { PORT: String(port), ...variables })
  const product = { child, port, url: `http://localhost:${port}`, said: '', seconds: 0, cpuSeconds: 0, stop }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (product.said += chunk))
  products.push(product)
  while (!(await fetch(product.url).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`The product stopped while starting: ${product.said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  product.seconds = (performance.now() - startedAt) / 1000
  product.cpuSeconds = cpuSecondsOf(child.pid)
  return product
  async function stop() {
    const ended = new Promise((resolve) => child.once('close', (...end) => resolve(end)))
    child.kill('SIGTERM')
    return ended
  }
}

/** @returns the status and all that a program wrote. */
async function finish(child) {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const status = await new Promise((resolve) => child.once('close', resolve))
  return { status, said }
}

/** systemd looks for the program where install.md puts it. */
async function checkUnit(release) {
  if (!isRoot || spawnSync('systemd-analyze', ['--version']).status !== 0) {
    console.log('NOT TRIED: the unit, which needs root and systemd-analyze.')
    return
  }
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/opt'])
  mkdirSync('/opt/learnify')
  symlinkSync(release, '/opt/learnify/current')
  const analyze = (...words) =>
    spawnSync('systemd-analyze', [...words, '/opt/learnify/current/docs/examples/learnify@.service'], {
      encoding: 'utf8',
    })
  await check('systemd finds nothing to say about the unit', () => {
    const { status, stdout, stderr } = analyze('verify')
    assert.equal(stdout + stderr, '')
    assert.equal(status, 0)
  })
  await check('the unit keeps its rating: 1.6 of 10 at most', () => {
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=16')
    assert.equal(status, 0, stdout.split('\n').slice(-3).join('\n'))
  })
}

async function runWhole(release) {
  const first = await start(release)
  await checkStart('the first start, with a new database, answers in time', first)
  await checkPages(first)
  await checkCommands(release)
  await checkBackup(release)
  const stopping = performance.now()
  const end = await first.stop()
  console.log(`      ${((performance.now() - stopping) / 1000).toFixed(1)} s to stop`)
  await check('SIGTERM ends it with status 0, and its database', () => {
    assert.deepEqual(end, [0, null])
    assert.equal(spawnSync('pgrep', ['-f', path.join(home, '.local')]).status, 1)
  })
  const second = await start(release)
  await checkStart('the second start answers in time', second)
}

async function checkStart(sentence, { seconds, cpuSeconds }) {
  await check(sentence, () => assert.ok(cpuSeconds <= most.cpuSeconds && seconds <= most.seconds))
  console.log(`      ${seconds.toFixed(1)} s to the first page, ${cpuSeconds.toFixed(1)} s of CPU time`)
}

/** Of a process, with all that it started: its database, too. */
function cpuSecondsOf(pid) {
  const statFiles = readdirSync('/proc').filter((id) => /^\d+$/.test(id))
  const processes = statFiles.flatMap((id) => {
    try {
      const [, parent, ...rest] =
        readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
      // Its own in user and system mode, and those of its children that have ended.
      return [{ id: Number(id), parent, ticks: rest.slice(9, 13).reduce((sum, part) => sum + part, 0) }]
    } catch {
      return []
    }
  })
  const ticksOf = (id) =>
    processes.filter(({ parent }) => parent === id).reduce((sum, child) => sum + ticksOf(child.id), 0) +
    (processes.find((one) => one.id === id)?.ticks ?? 0)
  return ticksOf(pid) / 100
}

async function checkPages({ url, port }) {
  const ask = async (address, options) => {
    const response = await fetch(url + address, options)
    assert.equal(response.status, 200, `${address}: ${response.status}`)
    return response
  }
  const post = (address, body) => {
    const headers = { 'Content-Type': 'application/json', Origin: url }
    return ask(address, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  let certificate = ''
  await check('public pages, scripts and pictures', async () => {
    for (const address of ['/', '/AllCourses', '/OneCourse/python-from-zero', '/Login', '/readyz']) {
      await (await ask(address)).arrayBuffer()
    }
    const page = await (await ask('/')).text()
    const files = [...page.matchAll(/(?:src|href)="(\/(?:assets|media)\/[^"]+)"/g)].map(([, address]) => address)
    assert.ok(files.length > 3)
    for (const file of files) await (await ask(file)).arrayBuffer()
  })
  await check('signing up, with a password that argon2 hashes', async () => {
    const name = { firstName: 'Ada', lastName: 'Lovelace' }
    const answer = await post('/account/register', {
      email: `ada-${port}@test.example`,
      password: 'Correct-horse-7',
      ...name,
    })
    assert.ok(answer.headers.getSetCookie().length > 0)
  })
  await check('signing in to the demo account, and its profile', async () => {
    const answer = await post('/account/login', { email: 'demo@learnify.example', password: 'Learnify2026' })
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const page = await (await ask('/Profile/achievements', { headers: { Cookie: cookie } })).text()
    certificate = /\/Certificate\/[\w-]+/.exec(page)?.[0] ?? ''
    assert.ok(certificate)
  })
  await check('a certificate as PDF and as picture, with the fonts and sharp', async () => {
    const pdf = Buffer.from(await (await ask(`${certificate}/certificate.pdf`)).arrayBuffer())
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
    const picture = Buffer.from(await (await ask(`${certificate}/picture.png`)).arrayBuffer())
    assert.equal(picture.subarray(1, 4).toString(), 'PNG')
  })
}

async function checkCommands(release) {
  await check("the operator's commands", async () => {
    const names = readdirSync(path.join(release, 'build/server'))
      .filter((name) => name.endsWith('.js') && !['main.js', 'state.js'].includes(name))
      .map((name) => path.basename(name, '.js'))
    const { said } = await finish(learnify(release, ['help']))
    for (const name of names) assert.ok(said.includes(name), name)
    assert.match((await finish(learnify(release, ['version']))).said, /^Learnify \d+\.\d+\.\d+ \([0-9a-f]{12}/)
    assert.deepEqual((await finish(learnify(release, ['content', 'check']))).status, 0)
    assert.deepEqual((await finish(learnify(release, ['mail', 'list']))).status, 0)
    assert.deepEqual((await finish(learnify(release, ['nothing']))).status, 2)
  })
}

async function checkBackup(release) {
  await check('a backup while it runs, its restore elsewhere, and an export', async () => {
    const key = { BACKUP_PASSPHRASE: 'correct horse battery' }
    const backup = await finish(learnify(release, ['backup', `${home}/backups`], key))
    const [archive] = /\/\S+\.age/.exec(backup.said) ?? [backup.said]
    const restore = await finish(learnify(release, ['restore', archive], { ...key, DATA_DIR: `${home}/restored` }))
    assert.match(restore.said, /and read back: everything as of/)
    const { status, said } = await finish(learnify(release, ['export', `${home}/export`]))
    assert.equal(status, 0, said)
    rmSync(`${home}/export`, { recursive: true })
  })
  await check('what the system refuses is a sentence', async () => {
    const { status, said } = await finish(learnify(release, ['export', `${release}/export`]))
    assert.equal(status, 1)
    assert.match(said, /export: permission denied \(EACCES\)\.\n$/)
  })
}

async function runWithoutDatabase(release) {
  await check('without a database there is a sentence', async () => {
    const { status, said } = await finish(
      learnify(release, [], { PORT: String(await freePort()), DATA_DIR: `${home}/none` }),
    )
    assert.equal(status, 1)
    assert.match(said, /Set DATABASE_URL/)
  })
  await check('the archive without the database runs on a database of its own address', async () => {
    const cluster = path.join(home, '.local/share/learnify/database/cluster')
    const password = readFileSync(path.join(cluster, 'password'), 'utf8').trim()
    const port = readFileSync(path.join(cluster, 'data/postmaster.pid'), 'utf8').split('\n')[3]
    const variables = {
      DATABASE_URL: `postgres://learnify:${password}@127.0.0.1:${port}/learnify`,
      DATA_DIR: `${home}/other`,
    }
    await checkPages(await start(release, variables))
  })
}
