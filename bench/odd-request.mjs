/** Requests that no page of the product sends: a seeded generator for `fuzz.mjs`. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const content = path.resolve(import.meta.dirname, '../content/courses')
const courses = readdirSync(content).filter((name) => !name.startsWith('.'))
const lessons = courses.flatMap((course) =>
  [...readFileSync(path.join(content, course, 'course.yaml'), 'utf8').matchAll(/^\s+-? ?id: ([\w-]+)/gm)].map(
    ([, id]) => `${course}/${id}`,
  ),
)

const pages = ['', 'AllCourses', 'OneCourse', 'Login', 'SignUp', 'ResetPassword', 'Instructor', 'mail', 'Nowhere']
const sections = ['overview', 'personal-info', 'current-courses', 'exam-scores', 'achievements', 'settings', 'none']
const resources = ['Enrollments', 'Wishes', 'Activities', 'Reviews', 'TimeZone', 'ExamAnswers', 'OwnData']
const certificateFiles = ['', '/certificate.pdf', '/picture.png', '/credential.json']
const account = `register login logout forgot-password new-password session confirm-email users users/demo social/google
  social/nobody social-end callback/google callback/nobody sign-in/email`.split(/\s+/)
const plain = ['healthz', 'readyz', 'robots.txt', 'sitemap.xml', 'site.webmanifest', '.well-known/did.json', 'og.png']
const files = ['assets/none-12345678.js', 'media/courses/../../package.json', 'files/photos/none.webp', 'images/x.webp']

const methods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'HEAD',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'TRACE',
]
const fields =
  `intent email password firstName lastName rememberMe token uid id positionMs body bookmarked course review
  rating title attempt question answer type move go because courseIds courseId wished timezone phone location removePhoto
  photo showsName attemptId value revision ageMs watched position mark answered readToEnd openedAt lengthMs signature
  studied from why notice error code state page sort q category level price before`.split(/\s+/)
const values = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  '999999999999999999999',
  'NaN',
  'yes',
  'no',
  'note',
  'save',
  'vote',
  'start',
  'hand-in',
  'answer',
  'forgot',
  'demo@learnify.example',
  'ada@example.com',
  'Europe/Berlin',
  '__proto__',
  'constructor',
  'a\0b',
  'x\r\nSet-Cookie: a=b',
  '😀',
  '\ud83d',
  'a'.repeat(5000),
  "' or 1=1 --",
  '%',
  '\\',
  '../../etc/passwd',
  '<script>',
  '{"a":1}',
  '[]',
  'null',
  '2026-13-45',
  '‮',
  '//evil.example',
  'javascript:alert(1)',
]
const jsons = [null, true, 0, -1, 1.5, 1e300, '', 'a\0b', '\ud800', [], {}, [[]], { a: 1 }, '😀']
const encodedOddities = [
  '%00',
  '%0d%0a',
  '%',
  '%zz',
  '%ff%fe',
  '%ed%a0%80',
  '%F0%9F%98%80',
  '%2e%2e%2f',
  '%2f',
  '%5c',
  '%20',
]

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * @param origin the product's own.
 * @param cookies of learners who are signed in.
 * @returns a function that gives the next request: method, path, headers and body.
 */
export function oddRequests({ seed, origin, cookies }) {
  const random = randomOf(seed)
  const chance = (share) => random() < share
  const pick = (list) => list[Math.floor(random() * list.length)]
  const some = (most, make) => Array.from({ length: Math.floor(random() * (most + 1)) }, make)

  const odd = () => (chance(0.5) ? encodeURIComponent(pick(values).toWellFormed()) : pick(encodedOddities))
  const param = (good) => (chance(0.6) ? pick(good) : odd())
  const kinds = [
    () => pick(pages),
    () => `OneCourse/${param(courses)}`,
    () => `Profile/${param(sections)}`,
    () => `Learn/${param(courses)}`,
    () => `Learn/${param(lessons)}`,
    () => `Learn/${param(lessons)}/progress`,
    () => `Exam/${param(courses)}`,
    () => `Exam/${param(courses)}/${odd()}`,
    () => `Certificate/${odd()}${pick(certificateFiles)}`,
    () => `CertificateStatus/${param(['1', '0', '99999999'])}`,
    () => pick(resources),
    () => pick(resources),
    () => `account/${pick(account)}`,
    () => `account/${pick(account)}`,
    () => `account/users/${odd()}`,
    () => pick(plain),
    () => pick(files),
    () => some(4, odd).join('/'),
  ]

  function address() {
    const query = some(3, () => `${pick(fields)}=${odd()}`).join('&')
    return `/${pick(kinds)()}${chance(0.15) ? '.data' : ''}${query && chance(0.5) ? `?${query}` : ''}`
  }

  function headers() {
    const made = { Host: chance(0.97) ? new URL(origin).host : pick(['1', 'evil.example', '[::1', '']) }
    if (chance(0.9)) made.Origin = chance(0.95) ? origin : pick(['null', 'http://evil.example', 'x'])
    if (chance(0.5)) made.Accept = pick(['text/html', 'application/json', '*/*', ',,;q=', 'a'.repeat(300)])
    if (chance(0.3)) made['Accept-Encoding'] = pick(['br', 'gzip', 'br;q=0', 'x'.repeat(200), '*', ';;,'])
    if (chance(0.1))
      made.Range = pick(['bytes=0-10', 'bytes=-1', 'bytes=9-1', 'bytes=0-,5-', 'x', 'bytes=99999999999-'])
    if (chance(0.1)) made['If-None-Match'] = pick(['*', 'W/"x"', '"', 'x'.repeat(500)])
    if (chance(0.05)) made['If-Modified-Since'] = pick(['x', 'Thu, 01 Jan 1970 00:00:00 GMT'])
    if (chance(0.05)) made['X-Forwarded-For'] = pick(['1.2.3.4', '::1', 'x,,', 'a'.repeat(2000)])
    if (chance(0.05)) made['X-Forwarded-Proto'] = pick(['https', 'x'])
    if (chance(0.05)) made.Purpose = 'prefetch'
    if (chance(0.6)) made.Cookie = pick(cookies)
    else if (chance(0.2))
      made.Cookie = pick(['=', ';;', 'a', '__proto__=1', `${cookies[0]}x`, 'x=%zz', `a=${'b'.repeat(3000)}`])
    return made
  }

  const pair = () => [pick(fields), pick(values).toWellFormed()]
  const bodies = [
    () => ({ type: 'application/x-www-form-urlencoded', body: new URLSearchParams(some(8, pair)).toString() }),
    () => ({ type: 'application/x-www-form-urlencoded', body: some(6, () => `${pick(fields)}=${odd()}`).join('&') }),
    () => ({
      type: 'application/json',
      body: JSON.stringify(Object.fromEntries(some(8, () => [pick(fields), pick(chance(0.5) ? jsons : values)]))),
    }),
    () => ({
      type: 'application/json',
      body: pick(['', '{', 'null', '[]', '"x"', '{"__proto__":{"a":1}}', '['.repeat(20_000)]),
    }),
    () => ({
      type: 'application/json',
      body: `{"email":"${pick(['x@y.example', 'a\\u0000@y.example'])}","password":"${pick(['short', 'long enough 1'])}","firstName":"\\ud83d","lastName":"x"}`,
    }),
    multipart,
    () => ({
      type: pick(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=x']),
      body: pick(['', 'x', '--x\r\n\r\n--x--']),
    }),
    () => ({
      type: pick(['', 'text/plain', 'application/xml', 'x', 'application/json; charset=utf-16']),
      body: pick(values).toWellFormed(),
    }),
    () => ({ type: 'application/x-www-form-urlencoded', body: 'a'.repeat(pick([10, 70_000])) }),
  ]

  function multipart() {
    const parts = some(6, () => {
      const file = chance(0.4) ? `; filename="${pick(['x.png', '', '../x', 'a'.repeat(300)])}"` : ''
      const type = file ? `\r\nContent-Type: ${pick(['image/png', 'text/plain', 'x'])}` : ''
      return `--b\r\nContent-Disposition: form-data; name="${pick(fields)}"${file}${type}\r\n\r\n${pick(values)}\r\n`
    })
    return { type: 'multipart/form-data; boundary=b', body: `${parts.join('')}--b--\r\n` }
  }

  return () => {
    const method = pick(methods)
    const request = { method, path: address(), headers: headers(), body: '' }
    const reading = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)
    if (!reading && chance(0.9)) {
      const { type, body } = pick(bodies)()
      if (type) request.headers['Content-Type'] = type
      request.body = body
    }
    // Signing out would end the session that later requests have.
    if (request.path.startsWith('/account/logout')) delete request.headers.Cookie
    return request
  }
}
