/**
 * `node bench/fuzz.ts [COUNT=20000] [SEED]`: odd requests to every address of a product of its own:
 * any method, with and without a session, with bodies, headers and parameters that no page sends.
 * Ends with status 1 when one is answered by an error of the server, shows internals or gets no
 * answer, when memory grows, or when the log has an error. The same seed sends the same requests.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import path from 'node:path'
import fc from 'fast-check'
import { startProduct } from '../tests/support/product.ts'
import { addResult, residentMemory } from './figures.ts'
import { benchPassword } from './learners.ts'

const count = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31))
const concurrency = 4
/** Of the memory after a quarter of the requests. */
const maxMemoryGrowth = 1.25

type OddRequest = { method: string; path: string; headers: Record<string, string>; body: string }
type OddResponse = { status: number; body: string }

const fields =
  `intent email password firstName lastName rememberMe token uid id positionMs body bookmarked course review rating
  title attempt question answer type move go because courseIds courseId wished timezone phone location removePhoto photo
  showsName attemptId value revision ageMs watched position mark answered readToEnd openedAt lengthMs signature studied from
  why notice error code state page sort q category level price before`.split(/\s+/)
const values = [
  ...`0 -1 1e309 999999999999999999999 NaN yes no note save vote start hand-in answer forgot demo@learnify.example 😀
    ada@example.com Europe/Berlin __proto__ constructor % \\ ../../etc/passwd <script> {"a":1} [] null 2026-13-45
    //evil.example javascript:alert(1)`.split(/\s+/),
  ...['', ' ', 'a\0b', 'x\r\nSet-Cookie: a=b', '\u202e', 'a'.repeat(5000), "' or 1=1 --"],
]
const badEncodings = '%00 %0d%0a % %zz %ff%fe %ed%a0%80 %F0%9F%98%80 %2e%2e%2f %2f %5c %20'.split(
  ' ',
)
/** As a part of an address or of a form. */
const oddText = fc.oneof(
  fc.constantFrom(...values).map(encodeURIComponent),
  fc.constantFrom(...badEncodings),
)

console.log(`seed ${seed}, ${count} requests`)
const problems = new Map<string, string>()
const statuses = new Map<string, number>()
const product = await startProduct({ onLine: checkLogLine })
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
let [early, late] = [0, 0]
try {
  const cookies = [
    await readSessionCookie('login', { email: 'demo@learnify.example', password: 'Learnify2026' }),
    await readSessionCookie('register', {
      email: 'fuzz@bench.example',
      password: benchPassword,
      firstName: 'Fuzz',
      lastName: 'Bench',
    }),
  ]
  const requests = fc.sample(oddRequest(cookies), { seed, numRuns: count })
  let sent = 0
  const sendMany = async () => {
    for (let request = requests[sent++]; request; request = requests[sent++]) {
      if (sent === Math.floor(count / 4)) {
        early = residentMemory(product.pid).now
      }

      checkResponse(request, await sendOddRequest(request))
    }
  }

  await Promise.all(Array.from({ length: concurrency }, sendMany))
  late = residentMemory(product.pid).now
} finally {
  agent.destroy()
  await product.stop()
}

for (const [what, example] of problems) {
  console.log(`\nPROBLEM ${what}\n  ${example.slice(0, 800)}`)
}

addResult({
  figure: `${count} odd requests`,
  value: Array.from(statuses, ([kind, number]) => `${number} × ${kind}`).join(', '),
  goal: 'no error of the server, nothing in the log',
  isMet: problems.size === 0,
})
addResult({
  figure: 'memory after them',
  value: `${late.toFixed(0)} MB`,
  goal: `${maxMemoryGrowth} times that after a quarter`,
  isMet: late <= early * maxMemoryGrowth,
  ratio: `${(late / early).toFixed(2)} of that after a quarter`,
})

/** The number that pino gives to errors. */
const errorLevel = 50

function checkLogLine(line: string): void {
  const { level, msg, err, path: address } = JSON.parse(line)
  if (level < errorLevel) {
    return
  }

  problems.set(`in the log: ${msg}`, `${address} ${JSON.stringify(err)}`)
}

function checkResponse(request: OddRequest, { status, body }: OddResponse): void {
  const kind = status === 0 ? 'no answer' : `${Math.floor(status / 100)}xx`
  statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
  const showsInternals = /\n\s+at .+:\d+:\d+|node_modules|Unexpected token/.test(body)
  const isBad = status === 0 || status >= 500
  if (!isBad && !showsInternals) {
    return
  }

  const [place = ''] = request.path.split('?')
  const problem = isBad ? `status ${status}` : 'shows internals'
  problems.set(
    `${problem}: ${request.method} ${place.slice(0, 80)}`,
    `${JSON.stringify(request)} ${body}`,
  )
}

/**
 * Without `fetch`, which would normalize malformed requests. A 503 with Retry-After, from a busy
 * server, counts as 429.
 */
function sendOddRequest({
  method,
  path: address,
  headers,
  body,
}: OddRequest): Promise<OddResponse> {
  const { hostname, port } = new URL(product.url)
  return new Promise((resolve) => {
    const done = (status: number, text: string) => resolve({ status, body: text })
    const length = body ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
    const allHeaders = { ...headers, ...length }
    const sent = send({
      hostname,
      port,
      agent,
      method,
      path: address,
      headers: allHeaders,
      setHost: false,
    })

    sent.setTimeout(20_000, () => sent.destroy(new Error('no answer in 20 s')))
    sent.on('error', (error) => done(0, error.message))
    sent.on('response', async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString('latin1')
        const isBusy = response.statusCode === 503 && response.headers['retry-after'] !== undefined
        done(isBusy ? 429 : (response.statusCode ?? 0), text)
      } catch (error) {
        done(0, String(error))
      }
    })

    sent.end(body)
  })
}

async function readSessionCookie(operation: string, body: object): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Origin: product.url }
  const options = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${product.url}/account/${operation}`, options)
  if (!response.ok) {
    throw new Error(`/account/${operation} answered ${response.status}.`)
  }

  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Every kind of request, a third of them as a page might send it but for one value. */
function oddRequest(cookies: string[]): fc.Arbitrary<OddRequest> {
  const methods = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']
  const method = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('GET', 'POST') },
    fc.constantFrom(...methods),
  )
  const request = fc.record({
    method,
    path: oddPath(),
    headers: oddHeaders(cookies),
    content: oddContent(),
  })

  return request.map(({ method, path, headers, content: { type, body } }) => {
    const isRead = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)
    const made: Record<string, string> = {
      ...headers,
      ...(!isRead && type && { 'Content-Type': type }),
    }
    // Signing out would end the session that later requests have.
    if (path.startsWith('/account/logout')) {
      delete made.Cookie
    }

    return { method, path, headers: made, body: isRead ? '' : body }
  })
}

/** '*' in an address is replaced by something odd. */
function oddPath(): fc.Arbitrary<string> {
  const query = fc.array(fc.tuple(fc.constantFrom(...fields), oddText), { maxLength: 3 })
  const end = fc.constantFrom('', '', '', '', '', '', '.data')
  const random = fc.array(oddText, { maxLength: 4 }).map((parts) => parts.join('/'))
  const address = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...listPaths()) }, random)

  return fc.tuple(address, oddText, end, query).map(([known, odd, end, pairs]) => {
    const search = pairs.map((pair) => pair.join('=')).join('&')
    return `/${known.replaceAll('*', odd)}${end}${search && `?${search}`}`
  })
}

function oddHeaders(cookies: string[]): fc.Arbitrary<Record<string, string>> {
  const { origin, host } = new URL(product.url)
  const long = 'a'.repeat(2000)
  const choices = {
    Host: [...Array(20).fill(host), '1', 'evil.example', '[::1'],
    Origin: [...Array(20).fill(origin), 'null', 'http://evil.example', 'x'],
    Cookie: [
      ...Array(4).fill(cookies).flat(),
      '=',
      ';;',
      '__proto__=1',
      `${cookies[0]}x`,
      'x=%zz',
      `a=${long}`,
    ],
    Accept: ['text/html', 'application/json', '*/*', ',,;q=', long],
    'Accept-Encoding': ['br', 'gzip', 'br;q=0', '*', ';;,', long],
    Range: ['bytes=0-10', 'bytes=-1', 'bytes=9-1', 'bytes=0-,5-', 'x', 'bytes=99999999999-'],
    'If-None-Match': ['*', 'W/"x"', '"', long],
    'If-Modified-Since': ['x', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    'X-Forwarded-For': ['1.2.3.4', '::1', 'x,,', long],
    'X-Forwarded-Proto': ['https', 'x'],
  }
  const arbitraries = Object.entries(choices).map(([name, values]) => [
    name,
    fc.constantFrom<string>(...values),
  ])

  return fc.record<Record<string, string>, string>(Object.fromEntries(arbitraries), {
    requiredKeys: ['Host'],
  })
}

function oddContent(): fc.Arbitrary<{ type: string; body: string }> {
  const field = fc.constantFrom(...fields)
  const pairs = fc.array(fc.tuple(field, oddText), { maxLength: 8 })
  const form = pairs.map((list) => list.map((pair) => pair.join('=')).join('&'))
  const parts = pairs.map((list) => {
    const texts = list.map(
      ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    )
    return `${texts.join('')}--b--\r\n`
  })
  const value = fc.oneof(fc.constantFrom(...values), fc.jsonValue())
  const json = fc.dictionary(field, value, { maxKeys: 8 }).map((record) => JSON.stringify(record))
  const broken = [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"__proto__":{"a":1}}',
    '['.repeat(20_000),
    'a'.repeat(70_000),
  ]
  const types = [
    'application/x-www-form-urlencoded',
    'application/json',
    'multipart/form-data; boundary=b',
    'x',
    '',
  ]
  const bodies = [form, json, parts, fc.constantFrom(...broken)]
  const matching = bodies.map((arbitrary, place) =>
    arbitrary.map((body) => ({ type: types[place] ?? '', body })),
  )

  return fc.oneof(
    ...matching,
    fc.record({ type: fc.constantFrom(...types), body: fc.oneof(...bodies) }),
  )
}

/** Every address of `app/routes.ts` and of the account service. */
function listPaths(): string[] {
  const content = path.resolve(import.meta.dirname, '../content/courses')
  const [course = ''] = readdirSync(content).filter((name) => !name.startsWith('.'))
  const yaml = readFileSync(path.join(content, course, 'course.yaml'), 'utf8')
  const lessons = [...yaml.matchAll(/^\s+-? ?id: ([\w-]+)/gm)].map(
    ([, id]) => `Learn/${course}/${id}`,
  )
  const text = `AllCourses OneCourse OneCourse/${course} OneCourse/* Login SignUp ResetPassword Instructor ConfirmEmail mail Nowhere
    Profile Profile/overview Profile/settings Profile/exam-scores Profile/* Learn/${course} ${lessons.join(' ')} Learn/*/*
    ${lessons[0]}/progress ${lessons[0]}/film ${lessons[0]}/downloads/* Exam/${course} Exam/${course}/* Certificate/*
    Certificate/*/certificate.pdf Certificate/*/picture.png Certificate/*/credential.json CertificateStatus/* CertificateStatus/1
    Enrollments Wishes Activities Reviews TimeZone ExamAnswers PracticeAnswers Practice OwnData StudyPlan viewer Suggestions
    MoreCourses StopReminders account/register account/login account/logout account/forgot-password account/new-password
    account/session account/confirm-email account/users account/users/demo account/users/* account/social/google
    account/social/* account/callback/google account/callback/* account/sign-in/email healthz readyz robots.txt sitemap.xml
    Sitemap/* site.webmanifest .well-known/did.json og.png assets/none-12345678.js media/courses/../../package.json
    files/photos/none.webp images/x.webp`

  return ['', ...text.split(/\s+/)]
}
