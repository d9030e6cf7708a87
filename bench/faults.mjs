/**
 * `node bench/faults.mjs [NAMES]`: learners report and visitors read while something fails: disk-full, read-only, clock,
 * mail-away, storage-away, database-away, few-files. Each fault has to end with a sentence for whoever meets it, stored public
 * pages have to go on, and afterwards every acknowledged report has to be there, once. Needs root for the mounts, Debian's
 * PostgreSQL, PgBouncer and libfaketime; says what is missing. Ends with status 1 otherwise.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { findMissingPackages, startDebianDatabase } from './debian-database.mjs'
import { keepInBrowser } from './fault-browser.mjs'
import { findLosses, sentenceOf, startLoad } from './fault-load.mjs'
import { freePort, startProduct } from './product.mjs'

const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const faults = {
  'disk-full': { needs: needsRoot, run: diskFull },
  'read-only': { needs: needsRoot, run: readOnly },
  clock: { needs: () => (existsSync(faketime) ? findMissingPackages() : 'faketime'), run: clockSetBack },
  'mail-away': { needs: () => null, run: mailAway },
  'storage-away': { needs: () => null, run: storageAway },
  'database-away': { needs: findMissingPackages, run: databaseAway },
  'few-files': { needs: () => null, run: fewFiles },
}
const noStorage = 'We can’t store photos right now'
const problems = []
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(faults)
for (const name of names) {
  const missing = faults[name].needs()
  console.log(`\n── ${name}`)
  if (missing) problem(name, `NOT RUN, needs ${missing}`)
  else await faults[name].run().catch((error) => problem(name, error.stack))
}
for (const text of problems) console.log(`PROBLEM: ${text}`)
console.log(problems.length === 0 ? '\npassed' : `\n${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

function problem(name, text) {
  problems.push(`${name}: ${text}`)
}

function needsRoot() {
  return process.getuid?.() === 0 ? null : 'root'
}

/**
 * A product with a load on it; `work` breaks something and repairs it. What was acknowledged has to be there in the end.
 *
 * @param {string} name
 * @param {{ folder?: string, variables?: Record<string, string>, database?: string, prefix?: string }} options `database`: the
 *   address of one of its own.
 * @param {(parts: { load: any, product: any, databaseUrl: string }) => Promise<void>} work
 */
async function withLoad(name, { folder, variables = {}, database, prefix = '' }, work) {
  const log = []
  const product = await startProduct({ folder, variables, prefix, onLine: (line) => log.push(line) })
  try {
    const databaseUrl = database ?? (await embeddedUrl(product.folder))
    const load = await startLoad({ url: product.url, folder: product.folder, databaseUrl })
    await pause(1_500)
    say('before', load.take())
    await work({ load, product, databaseUrl })
    const repairedAt = Date.now()
    for (load.lastTaken = 0; load.lastTaken < repairedAt && Date.now() - repairedAt < 60_000; ) await pause(100)
    if (load.lastTaken < repairedAt) problem(name, 'reports were not taken again within a minute')
    console.log(`reports are taken again after ${((Date.now() - repairedAt) / 1000).toFixed(1)} s`)
    await pause(1_500)
    say('afterwards', load.take())
    await load.stop()
    problems.push(...(await findLosses(load, databaseUrl)).map((text) => `${name}: ${text}`))
    const count = load.learners.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    console.log(`${count} acknowledged reports looked for`)
    const errors = log.filter((line) => line.includes('unexpected error')).map((line) => JSON.parse(line))
    for (const text of new Set(
      errors.map(({ err }) => `${err.cause?.code ?? err.code} ${err.cause?.message ?? err.message}`),
    ))
      console.log(`logged: ${text}`)
    const odd = log.filter((line) => /unhandled rejection|uncaught exception/.test(line))
    if (odd.length > 0) problem(name, `${odd.length} uncaught errors, the first: ${odd[0]}`)
  } finally {
    await product.stop()
    if (!folder) await rm(product.folder, { recursive: true, force: true })
  }
}

/** Stored pages have to go on; whatever else fails has to say that it is to be tried again. */
function judge(name, statuses, allowed = ['200', '503']) {
  say('meanwhile', statuses)
  const kept = Object.keys(statuses['kept page'] ?? {})
  if (kept.join() !== '200') problem(name, `stored pages had the statuses ${kept}`)
  for (const [kind, counts] of Object.entries(statuses)) {
    for (const status of Object.keys(counts)) {
      if (!allowed.includes(status) && !/^[23]/.test(status))
        problem(name, `${kind}: ${counts[status]} times ${status}`)
    }
  }
}

function say(when, statuses) {
  const texts = Object.entries(statuses).map(([kind, counts]) => `${kind} ${JSON.stringify(counts)}`)
  console.log(`${when}: ${texts.join(', ')}`)
}

/** @param {string} [words] that the answer has to have somewhere. */
async function said(name, what, answer, words) {
  const { status, ...rest } = await answer
  if (words && !rest.body.includes(words)) problem(name, `${what} doesn’t say '${words}'`)
  const sentence = sentenceOf(rest)
  console.log(`${what} (${status}): ${sentence}`)
  if (!/[a-z]{3,}.*[.!]/.test(sentence)) problem(name, `${what}: no sentence, but '${sentence}'`)
  return status
}

async function embeddedUrl(folder) {
  const home = path.join(folder, 'database/cluster')
  const password = (await readFile(path.join(home, 'password'), 'utf8')).trim()
  const [, , , port] = (await readFile(path.join(home, 'data/postmaster.pid'), 'utf8')).split('\n')
  return `postgres://learnify:${password}@127.0.0.1:${port}/learnify`
}

async function diskFull() {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder])
  try {
    await withLoad('disk-full', { folder }, async ({ load }) => {
      // Its last blocks go one by one.
      execFileSync('sh', [
        '-c',
        `dd if=/dev/zero of=${folder}/filler bs=64k 2>/dev/null; dd if=/dev/zero of=${folder}/rest bs=1 2>/dev/null; true`,
      ])
      await pause(10_000)
      console.log('ready:', JSON.stringify(await load.readiness()))
      await said('disk-full', 'sign-up', load.register('full@bench.example'))
      await said('disk-full', 'photo', load.upload())
      await said('disk-full', 'profile', load.profile())
      judge('disk-full', load.take())
      await Promise.all(['filler', 'rest'].map((name) => rm(path.join(folder, name))))
    })
  } finally {
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  }
}

async function readOnly() {
  await withLoad('read-only', {}, async ({ load, product }) => {
    const files = path.join(product.folder, 'files')
    execFileSync('mount', ['--bind', files, files])
    execFileSync('mount', ['-o', 'remount,bind,ro', files])
    try {
      await said('read-only', 'photo', load.upload(), noStorage)
      await said('read-only', 'profile', load.profile())
      console.log('ready:', JSON.stringify(await load.readiness()))
      judge('read-only', load.take())
    } finally {
      execFileSync('umount', [files])
    }
    const status = (await load.upload()).status
    if (status >= 400) problem('read-only', `afterwards a photo got ${status}`)
  })
}

async function clockSetBack() {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-clock-'))
  const shift = path.join(folder, 'shift')
  await writeFile(shift, '+0')
  const shifted = {
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: shift,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  execFileSync('chmod', ['755', folder])
  const database = await startDebianDatabase({ poolSize: 20, variables: shifted })
  const options = { folder: path.join(folder, 'data'), variables: { ...shifted, DATABASE_URL: database.directUrl } }
  try {
    await withLoad('clock', { ...options, database: database.directUrl }, async ({ load }) => {
      const openedAt = Date.now()
      await database.restart()
      await writeFile(shift, '-1h')
      // Node.js makes the header's text once a second.
      await pause(2_500)
      const { date } = await load.ask('time', '/healthz')
      console.log(`the product’s clock says ${date}`)
      if (Math.abs(Date.parse(date) + 3_600_000 - Date.now()) > 60_000) problem('clock', 'the clock was not set back')
      const early = await load.report(load.reader, { openedAt, studied: [[openedAt, openedAt + 100]] })
      console.log(`a report of a visit from before (${early.status}): ${sentenceOf(early)}`)
      if (early.status !== 425) problem('clock', `such a report got ${early.status}`)
      await pause(8_000)
      console.log('ready:', JSON.stringify(await load.readiness()))
      for (const [what, answer] of Object.entries({
        profile: load.profile(),
        'sign-up': load.register('clock@bench.example'),
      })) {
        const { status } = await answer
        console.log(`${what}: ${status}`)
        if (status >= 400) problem('clock', `${what} got ${status}`)
      }
      judge('clock', load.take(), ['200', '425', '503'])
    })
  } finally {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function mailAway() {
  const port = await freePort()
  await withLoad('mail-away', { variables: { SMTP_URL: `smtp://127.0.0.1:${port}` } }, async ({ load }) => {
    const status = (await load.register('mail@bench.example')).status
    if (status !== 200 && status !== 201) problem('mail-away', `sign-up got ${status}`)
    await pause(3_000)
    judge('mail-away', load.take())
    console.log('ready:', JSON.stringify(await load.readiness()))
    const received = []
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, session, done) {
        stream.resume().on('end', () => {
          received.push(...session.envelope.rcptTo.map(({ address }) => address))
          done()
        })
      },
    })
    await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(null)))
    for (let tries = 0; tries < 600 && received.length === 0; tries++) await pause(100)
    await pause(1_000)
    console.log(`mail arrived after the server came back: ${received}`)
    if (received.join() !== 'mail@bench.example') problem('mail-away', `the mail server got ${received.length} emails`)
    await new Promise((resolve) => server.close(() => resolve(null)))
  })
}

async function storageAway() {
  const objects = new Map()
  const port = await freePort()
  const newServer = () =>
    createServer(async (request, response) => {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      if (request.method === 'PUT') objects.set(request.url, Buffer.concat(chunks))
      if (request.method === 'GET' && !objects.has(request.url)) response.writeHead(404)
      response.end(request.method === 'GET' ? objects.get(request.url) : undefined)
    }).listen(port, '127.0.0.1')
  let server = newServer()
  const variables = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'bucket',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  await withLoad('storage-away', { variables }, async ({ load }) => {
    const before = (await load.upload()).status
    const kept = objects.size
    server.closeAllConnections()
    await new Promise((resolve) => server.close(() => resolve(null)))
    await said('storage-away', 'photo', load.upload(), noStorage)
    const status = await said('storage-away', 'profile', load.profile())
    if (status !== 200) problem('storage-away', `the profile got ${status}`)
    const ready = await load.readiness()
    console.log('ready:', JSON.stringify(ready))
    if (ready.status !== 200) problem('storage-away', 'the process counts as unable')
    judge('storage-away', load.take())
    server = newServer()
    const after = (await load.upload()).status
    console.log(`photos before and after: ${before}, ${after}; stored ${kept}, ${objects.size}`)
    if (after >= 400) problem('storage-away', `afterwards a photo got ${after}`)
  })
  server.closeAllConnections()
  server.close()
}

async function databaseAway() {
  const database = await startDebianDatabase({ poolSize: 20 })
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-away-'))
  try {
    const options = { folder, variables: { DATABASE_URL: database.directUrl }, database: database.directUrl }
    await withLoad('database-away', options, async ({ load, product, databaseUrl }) => {
      const browser = await keepInBrowser(product.url, load, databaseUrl)
      await database.stopServer()
      const goneAt = Date.now()
      await pause(3_000)
      await said('database-away', 'sign-up', load.register('away@bench.example'))
      await said('database-away', 'profile', load.profile())
      console.log('ready:', JSON.stringify(await load.readiness()))
      console.log(`browser: ${await browser.work()}`)
      await pause(Math.max(0, goneAt + 60_000 - Date.now()))
      judge('database-away', load.take())
      await database.startServer()
      const outcome = await browser.finish()
      console.log(`browser: ${outcome.text}`)
      problems.push(...outcome.problems.map((text) => `database-away: ${text}`))
    })
  } finally {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function fewFiles() {
  await withLoad('few-files', { prefix: 'ulimit -n 256; ' }, async ({ load, product }) => {
    const { port } = new URL(product.url)
    const sockets = Array.from({ length: 400 }, () => connect(Number(port), 'localhost').on('error', () => {}))
    await pause(5_000)
    const isAnswered = await new Promise((resolve) => {
      const request = get(`${product.url}/healthz`, { agent: false, timeout: 2_000 }, () => resolve(true))
      request.on('timeout', () => request.destroy()).on('error', () => resolve(false))
    })
    if (isAnswered) problem('few-files', 'the limit was not reached, so that nothing was tried')
    say('meanwhile', load.take())
    for (const socket of sockets) socket.destroy()
    await pause(1_000)
    console.log('ready:', JSON.stringify(await load.readiness()))
  })
}
