/**
 * `node bench/behind-nginx.mjs`: two processes on one data folder behind a real nginx with TLS, configured by
 * `docs/examples/nginx.conf`, and what has to hold there, request by request. Everything runs on loopback and goes away.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, startProduct } from './product.mjs'
import { selfSignedCertificate } from './self-signed-certificate.mjs'

if (spawnSync('nginx', ['-v']).error) {
  console.error("nginx is not installed: 'apt-get install nginx' on Debian and Ubuntu, 'brew install nginx' on macOS.")
  process.exit(2)
}

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-nginx-'))
const [tlsPort, plainPort] = [await freePort(), await freePort()]
const host = `school.example:${tlsPort}`
const origin = `https://${host}`
const jar = new Map()
const stops = []
let failures = 0

try {
  const variables = { PUBLIC_URL: origin, TRUST_PROXY: '127.0.0.1', HOST: '127.0.0.1', DRAIN_SECONDS: '0' }
  const ports = []
  for (let count = 0; count < 2; count++) {
    const product = await startProduct({ folder: path.join(folder, 'data'), variables })
    stops.unshift(() => product.stop())
    ports.push(new URL(product.url).port)
  }
  stops.unshift(await startNginx(ports))
  await checkEverything()
} finally {
  for (const stop of stops) await stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(failures === 0 ? 'Everything holds behind nginx.' : `${failures} failed.`)
process.exit(failures === 0 ? 0 : 1)

/** The documented file with ports and certificates of this run, inside of the least that nginx needs around it. */
async function startNginx(ports) {
  const { key, cert } = selfSignedCertificate('school.example')
  writeFileSync(path.join(folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(path.join(folder, 'cert.pem'), cert)
  const documented = readFileSync(path.join(root, 'docs/examples/nginx.conf'), 'utf8')
  /** @type {[from: string | RegExp, to: string][]} */
  const changes = [
    ['127.0.0.1:3000', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${ports[1]}`],
    ['listen [::]:80;', ''],
    ['listen [::]:443 ssl http2;', ''],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`],
    ['https://school.example$', `${origin}$`],
    [/\/etc\/ssl\/\S+fullchain\.pem/, path.join(folder, 'cert.pem')],
    [/\/etc\/ssl\/\S+privkey\.pem/, path.join(folder, 'key.pem')],
  ]
  const replaced = changes.reduce((text, [from, to]) => {
    const next = text.replace(from, to)
    assert.notEqual(next, text, `docs/examples/nginx.conf no longer has ${from}`)
    return next
  }, documented)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${temporary.join(' ')} ${replaced} }`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', `${folder}/error.log`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    if (await ask('/healthz').catch(() => null)) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.equal(child.exitCode, null, 'nginx did not start')
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}

/**
 * One request through nginx, with the cookies so far.
 *
 * @param {string} target
 * @param {{ method?: string, headers?: Record<string, string>, body?: string }} [options]
 */
function ask(target, { method = 'GET', headers = {}, body } = {}) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const posting = method === 'POST' && { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' }
  return new Promise((resolve, reject) => {
    const question = request({
      host: '127.0.0.1',
      port: tlsPort,
      path: target,
      method,
      servername: 'school.example',
      rejectUnauthorized: false,
      headers: { Host: host, ...(cookie && { Cookie: cookie }), ...posting, ...headers },
    })
    question.once('error', reject)
    question.once('response', async (answer) => {
      const chunks = []
      try {
        for await (const chunk of answer) chunks.push(chunk)
      } catch (error) {
        return reject(error)
      }
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0/i.test(line)) jar.delete(name)
        else jar.set(name, value)
      }
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) })
    })
    question.end(body)
  })
}

async function check(sentence, test) {
  try {
    await test()
    console.log(`ok    ${sentence}`)
  } catch (error) {
    failures += 1
    console.log(`FAIL  ${sentence}\n      ${String(error.message).split('\n').slice(0, 6).join('\n      ')}`)
  }
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
    const answer = await fetch(`http://127.0.0.1:${plainPort}/AllCourses`, { redirect: 'manual' })
    assert.equal(answer.headers.get('location'), `${origin}/AllCourses`)
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
  await check('another name is refused', async () => {
    assert.equal((await ask('/', { headers: { Host: 'elsewhere.example' } })).status, 421)
  })
  await check('a form from another site is refused', async () => {
    const headers = { Origin: 'https://elsewhere.example' }
    assert.equal((await ask('/Login', { method: 'POST', headers, body: form(learner) })).status, 403)
  })
  await check('what is too large is refused with a sentence of the product', async () => {
    const answer = await ask('/Login', { method: 'POST', body: form({ email: 'x'.repeat(100_000) }) })
    assert.equal(answer.status, 413)
    assert.doesNotMatch(answer.body.toString(), /nginx/)
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
