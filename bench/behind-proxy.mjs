/**
 * `node bench/behind-proxy.mjs [nginx | caddy | haproxy ...]`: two processes on one data folder behind a real proxy with
 * TLS, configured by the files of `docs/examples`, and what has to hold there, request by request. Everything runs on
 * loopback and goes away.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checklist } from './checklist.mjs'
import { newVisitor } from './https-visitor.mjs'
import { freePort, startProduct } from './product.mjs'
import { findMissingProxy, proxyNames, startProxy } from './proxies.mjs'

const names = process.argv.length > 2 ? process.argv.slice(2) : proxyNames
const missing = names.map(findMissingProxy).filter(Boolean)
if (missing.length > 0) {
  console.error(`Not installed: 'apt-get install ${missing.join(' ')}' on Debian and Ubuntu.`)
  process.exit(2)
}

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-proxy-'))
// nginx's workers have another account.
chmodSync(folder, 0o711)
const [tlsPort, plainPort] = [await freePort(), await freePort()]
const host = `school.example:${tlsPort}`
const origin = `https://${host}`
const { ask, jar } = newVisitor({ host, tlsPort })
const stops = []
const { check, end } = checklist()

try {
  const variables = { PUBLIC_URL: origin, TRUST_PROXY: '127.0.0.1', HOST: '127.0.0.1', DRAIN_SECONDS: '0' }
  const ports = []
  for (let count = 0; count < 2; count++) {
    const product = await startProduct({ folder: path.join(folder, 'data'), variables })
    stops.unshift(() => product.stop())
    ports.push(new URL(product.url).port)
  }
  for (const name of names) {
    console.log(name)
    const place = path.join(folder, name)
    mkdirSync(place)
    const stop = await startProxy(name, { folder: place, ports, tlsPort, plainPort })
    await checkEverything().finally(stop)
  }
} finally {
  for (const stop of stops) await stop()
  rmSync(folder, { recursive: true, force: true })
}
end(`Everything holds behind ${names.join(', ')}.`)

/** Without TLS. */
function plainly(target) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: plainPort, path: target, headers: { Host: 'school.example' } }
    get(options, (answer) => resolve(answer.resume())).on('error', reject)
  })
}

async function checkEverything() {
  const form = (fields) => new URLSearchParams(fields).toString()
  const learner = { email: `ada-${randomBytes(6).toString('hex')}@test.example`, password: 'Correct-horse-7' }

  await check('pages are compressed, come with HSTS, and are not sent again when nothing changed', async () => {
    const page = await ask('/', { headers: { 'Accept-Encoding': 'br' } })
    assert.equal(page.status, 200)
    assert.equal(page.headers['content-encoding'], 'br')
    assert.match(page.headers['strict-transport-security'] ?? '', /^max-age=\d+$/)
    const again = await ask('/', { headers: { 'Accept-Encoding': 'br', 'If-None-Match': page.headers.etag } })
    assert.equal(again.status, 304)
  })
  await check('plain http leads to https', async () => {
    const answer = await plainly('/AllCourses')
    // Without the port of this run, which no real server has.
    const { protocol, hostname, pathname } = new URL(answer.headers.location)
    assert.equal(`${protocol}//${hostname}${pathname}`, 'https://school.example/AllCourses')
  })
  await check('a form without scripts signs up, and every cookie is Secure and of this host only', async () => {
    const fields = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      ...learner,
      confirmPassword: learner.password,
      terms: 'on',
    }
    // As a browser that leaves its page for the answer.
    const headers = { Accept: 'text/html' }
    const answer = await ask('/SignUp', { method: 'POST', headers, body: form(fields) })
    assert.ok([302, 303].includes(answer.status), `${answer.status} ${answer.body}`)
    assert.equal(new URL(answer.headers.location, origin).href, `${origin}/Profile`)
    const cookies = answer.headers['set-cookie'] ?? []
    assert.ok(cookies.length > 0)
    for (const cookie of cookies) {
      assert.match(cookie, /; Secure/i)
      assert.doesNotMatch(cookie, /; Domain=/i)
    }
  })
  await check('both processes know the session', async () => {
    for (let count = 0; count < 6; count++) {
      const { user } = JSON.parse((await ask('/account/session')).body)
      assert.equal(user?.email, learner.email)
    }
  })
  await check("a post of a page's script is answered", async () => {
    const answer = await ask('/Login.data', { method: 'POST', body: form({ ...learner, password: 'wrong-password' }) })
    assert.match(answer.headers['content-type'] ?? '', /x-script/, `${answer.status} ${answer.body}`)
    assert.match(answer.body.toString(), /Incorrect password/)
  })
  await check('redirects stay on the public address', async () => {
    jar.clear()
    const answer = await ask('/Profile')
    assert.equal(answer.status, 302)
    assert.equal(new URL(answer.headers.location, origin).origin, origin)
  })
  await check('the kept mail and the sample sign-in are refused', async () => {
    for (const target of ['/mail', '/sample-identity/auth?client_id=sample-google']) {
      const { status } = await ask(target)
      assert.ok(status === 403 || status === 404, `${target} ${status}`)
    }
  })
  await check('another name gets nothing of the product', async () => {
    const { status, body } = await ask('/', { headers: { Host: 'elsewhere.example' } })
    // Caddy knows the names of its sites, and answers any other with nothing.
    assert.ok(status === 421 || body.length === 0, `${status} ${body}`)
  })
  await check('a form from another site is refused', async () => {
    const headers = { Origin: 'https://elsewhere.example' }
    assert.equal((await ask('/Login', { method: 'POST', headers, body: form(learner) })).status, 403)
  })
  await check('what is too large is refused with a sentence of the product', async () => {
    const answer = await ask('/Login', { method: 'POST', body: form({ email: 'x'.repeat(100_000) }) })
    assert.equal(answer.status, 413)
    assert.match(answer.body.toString(), /too large/i)
  })
  await check('films are sent in parts', async () => {
    const answer = await ask(publicFilm(), { headers: { Range: 'bytes=100-199' } })
    assert.equal(answer.status, 206)
    assert.equal(answer.body.length, 100)
    assert.match(answer.headers['content-range'] ?? '', /^bytes 100-199\//)
  })
}

/** A film that everybody may see. */
function publicFilm() {
  const courses = path.join(root, 'content/courses')
  for (const course of readdirSync(courses)) {
    const text = readFileSync(path.join(courses, course, 'course.yaml'), 'utf8')
    const lesson = text.split(/\n\s+- /).find((part) => /kind: video/.test(part) && /preview: true/.test(part))
    const id = /id: (\S+)/.exec(lesson ?? '')?.[1]
    const file =
      id &&
      readdirSync(path.join(courses, course), { recursive: true, encoding: 'utf8' }).find(
        (name) => name.includes(id) && name.endsWith('.mp4'),
      )
    if (file) return `/media/courses/${course}/${file}`
  }
  throw new Error('No course has a film as a preview.')
}
