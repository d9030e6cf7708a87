/**
 * `node bench/school.mjs [nginx | caddy | haproxy]`: Learnify as docs/install.md has it for a server: two processes, on
 * Debian's PostgreSQL 15 behind PgBouncer, behind a proxy with TLS, all by the files of docs/examples. Somebody signs up,
 * learns, passes the exam and writes a review; then, under load, each process is restarted and the pooler killed. Ends with
 * status 1 if a sentence is not true.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { prepareBuild } from '../scripts/build.ts'
import { checklist } from './checklist.mjs'
import { findMissingPackages, startDebianDatabase } from './debian-database.mjs'
import { newVisitor } from './https-visitor.mjs'
import { end as endProcess, ready, startProcess } from './processes.mjs'
import { freePort } from './product.mjs'
import { addLearnersBehindTls } from './product-database.mjs'
import { findMissingProxy, startProxy } from './proxies.mjs'
import { requirePackages } from './rows.mjs'
import { startSampleGoogle } from './sample-google.mjs'
import { schoolLearner } from './school-learner.mjs'
import { startUpgradeLoad } from './upgrade-load.mjs'

const proxyName = process.argv[2] ?? 'nginx'
requirePackages([findMissingPackages(), findMissingProxy(proxyName)].filter(Boolean).join(' '))

const courseId = 'python-from-zero'
const mostMsUnseen = 2_000
const mostMsWithoutPooler = 15_000
prepareBuild()
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-school-'))
// nginx's workers have another account.
chmodSync(folder, 0o711)
const [tlsPort, plainPort, ...ports] = await Promise.all(Array.from({ length: 4 }, freePort))
const host = `school.example:${tlsPort}`
const origin = `https://${host}`
const grace = `grace-${randomBytes(4).toString('hex')}@test.example`
const { check, end } = checklist()
const stops = []
try {
  const database = await startDebianDatabase({ poolSize: 20 })
  stops.unshift(() => database.stop())
  const google = await startSampleGoogle({ email: grace, name: 'Grace Hopper' })
  stops.unshift(() => google.stop())
  const sql = postgres(database.directUrl, { max: 2, onnotice: () => {} })
  stops.unshift(() => sql.end({ timeout: 1 }))
  const processes = await startProcesses(database, google.variables)
  stops.unshift(() => Promise.all(processes.map((one) => endProcess(one, 'SIGTERM'))))
  stops.unshift(await startProxy(proxyName, { folder, ports, tlsPort, plainPort }))
  const visitor = newVisitor({ host, tlsPort })
  await checkLearner(visitor, sql)
  await checkOtherProcess(visitor)
  await checkRestarts(processes, database, sql)
  await check('every cookie is Secure and of this host only', () => {
    assert.ok(visitor.cookieLines.length > 3)
    for (const line of visitor.cookieLines) {
      assert.match(line, /; Secure/i)
      assert.doesNotMatch(line, /; Domain=/i)
    }
  })
  await check('no process logged an error that nobody caught', () => {
    const odd = processes.flatMap(({ log }) => log.match(/.*(uncaught exception|unhandled rejection).*/g) ?? [])
    assert.deepEqual(odd, [])
  })
} finally {
  for (const stop of stops) await stop()
  rmSync(folder, { recursive: true, force: true })
}
end(`A school works behind ${proxyName} and PgBouncer.`)

/** By the lines of docs/install.md; mail is kept in the data folder. */
async function startProcesses(database, google) {
  const variables = {
    ENV_FILE: '/dev/null',
    PUBLIC_URL: origin,
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.directUrl,
    // This machine may have other work; shedding has its own tests.
    SHED_AFTER_MS: '10000',
    // It doesn't ask /readyz, so that the other process may stop soon after this one is back.
    ...(proxyName === 'nginx' && { DRAIN_SECONDS: '3' }),
    ...google,
  }
  const processes = ports.map((port) => startProcess({ folder: path.join(folder, 'data'), port, variables }))
  await Promise.all(processes.map(ready))
  return processes
}

async function checkLearner(visitor, sql) {
  const learner = schoolLearner({ visitor, sql, origin, courseId, mailFolder: path.join(folder, 'data/mail') })
  await check('pages lead to no address without TLS', () => learner.checkLinks())
  await check('signs in with Google, and both processes know it', () => learner.signInWithGoogle(grace))
  await check('signs up, and both processes know it', () => learner.signUp())
  await check('confirms the address by the link of the mail', () => learner.confirm())
  await check('signs out and in again', () => learner.signOutAndIn())
  await check('enrolls and finishes every lesson', () => learner.finishLessons())
  await check('passes the exam', () => learner.passExam())
  await check('gets a certificate of this school, and everybody may see it', () => learner.readCertificate())
}

async function checkOtherProcess(visitor) {
  for (const port of ports) {
    const comment = `Clear and calm ${randomBytes(6).toString('hex')}`
    await check(`a review is seen in the process on port ${port} within ${mostMsUnseen} ms`, async () => {
      const address = `http://127.0.0.1:${port}/OneCourse/${courseId}?sort=newest`
      const seen = async () => (await (await fetch(address)).text()).includes(comment)
      await seen()
      const fields = { intent: 'save', course: courseId, rating: '5', comment, showsName: 'on' }
      const answer = await visitor.ask('/Reviews', { method: 'POST', body: String(new URLSearchParams(fields)) })
      assert.ok(answer.status < 400, `${answer.status} ${answer.body}`)
      const storedAt = performance.now()
      while (!(await seen())) {
        assert.ok(performance.now() - storedAt < mostMsUnseen, 'it is not')
        await pause(20)
      }
      console.log(`      after ${Math.round(performance.now() - storedAt)} ms`)
    })
  }
}

/** Learners read, sign in, report and sit exams all the while. */
async function checkRestarts(processes, database, sql) {
  const options = { courseId, folder: path.join(folder, 'data'), tlsPort }
  const added = await addLearnersBehindTls(sql, options)
  const load = await startUpgradeLoad({ sql, origin, tlsPort, courseId, ...added })
  try {
    await pause(3_000)
    for (const [index, old] of processes.entries()) {
      await check(`no request fails while the process on port ${old.port} restarts`, async () => {
        const status = await endProcess(old, 'SIGTERM')
        processes[index] = startProcess(old)
        await ready(processes[index])
        await pause(2_000)
        const { failed, pages, signIns, reports, answers } = load.takeCounts()
        console.log(`      ${pages + signIns + reports + answers} requests`)
        assert.equal(status, 0)
        assert.equal(failed, 0, load.failures.splice(0).slice(0, 3).join('\n'))
      })
    }
    await check('while the pooler is killed and started again, 503 is the only refusal', async () => {
      const killedAt = performance.now()
      await database.restartPooler()
      for (const one of processes) await ready(one)
      const ms = Math.round(performance.now() - killedAt)
      await pause(2_000)
      load.takeCounts()
      const refusals = load.failures.splice(0)
      console.log(`      ready again after ${ms} ms, ${refusals.length} refusals`)
      assert.ok(ms < mostMsWithoutPooler, `${ms} ms`)
      assert.deepEqual(refusals.filter((line) => !/: 503 /.test(line)).slice(0, 3), [])
      await pause(2_000)
      assert.equal(load.takeCounts().failed, 0, 'requests fail afterwards')
    })
  } finally {
    await load.stop()
  }
  await check('every acknowledged account, report and answer is stored', async () =>
    assert.deepEqual(await load.listLost(), []),
  )
}
