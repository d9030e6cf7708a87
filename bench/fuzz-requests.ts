/** Creates random requests that no page of the product sends. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'

export type OddRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

type Targets = {
  /** The origin of the product, such as 'http://localhost:3000'. */
  origin: string
  /** The Cookie headers of learners who are signed in. */
  cookies: readonly string[]
}

/** Creates requests with any method, path, headers and body. Most of them have known names. */
export function createOddRequests({ origin, cookies }: Targets): fc.Arbitrary<OddRequest> {
  const request = fc.record({
    method: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('GET', 'POST') },
      fc.constantFrom(...methods),
    ),
    path: createPaths(),
    headers: createHeaders({ origin, cookies }),
    content: createContent(),
  })

  return request.map(({ method, path: requestPath, headers, content: { type, body } }) => {
    const hasBody = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)
    const allHeaders: Record<string, string> = {
      ...headers,
      ...(hasBody && type && { 'Content-Type': type }),
    }
    // Signing out would end the session that later requests use.
    if (requestPath.startsWith('/account/logout')) {
      delete allHeaders.Cookie
    }

    return { method, path: requestPath, headers: allHeaders, body: hasBody ? body : '' }
  })
}

const methods = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']

/** The names of fields and parameters that pages of the product send. */
const fieldNames =
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
/** A text that is encoded for a path or a form, or that is badly encoded. */
const oddText = fc.oneof(
  fc.constantFrom(...values).map(encodeURIComponent),
  fc.constantFrom(...badEncodings),
)

/** Creates paths. Most of them are known paths in which odd texts stand in place of the ids. */
function createPaths(): fc.Arbitrary<string> {
  const randomPath = fc.array(oddText, { maxLength: 4 }).map((parts) => parts.join('/'))
  const pathTemplate = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...listPathTemplates()) },
    randomPath,
  )
  // React Router requests the data of a page by this ending.
  const ending = fc.constantFrom('', '', '', '', '', '', '.data')
  const parameters = fc.array(fc.tuple(fc.constantFrom(...fieldNames), oddText), { maxLength: 3 })

  return fc.tuple(pathTemplate, oddText, ending, parameters).map(([template, id, end, pairs]) => {
    const query = pairs.map((pair) => pair.join('=')).join('&')
    return `/${template.replaceAll('*', id)}${end}${query && `?${query}`}`
  })
}

/**
 * Lists the paths of `app/routes.ts` and of the account service without their leading slash. '*'
 * stands for an id.
 */
function listPathTemplates(): string[] {
  const courseFolder = path.resolve(import.meta.dirname, '../content/courses')
  const [courseId = ''] = readdirSync(courseFolder).filter((name) => !name.startsWith('.'))
  const courseFile = readFileSync(path.join(courseFolder, courseId, 'course.yaml'), 'utf8')
  const lessonPaths = [...courseFile.matchAll(/^\s+-? ?id: ([\w-]+)/gm)].map(
    ([, lessonId]) => `Learn/${courseId}/${lessonId}`,
  )
  const text = `AllCourses OneCourse OneCourse/${courseId} OneCourse/* Login SignUp ResetPassword Instructor ConfirmEmail mail Nowhere
    Profile Profile/overview Profile/settings Profile/exam-scores Profile/* Learn/${courseId} ${lessonPaths.join(' ')} Learn/*/*
    ${lessonPaths[0]}/progress ${lessonPaths[0]}/film ${lessonPaths[0]}/downloads/* Exam/${courseId} Exam/${courseId}/* Certificate/*
    Certificate/*/certificate.pdf Certificate/*/picture.png Certificate/*/credential.json CertificateStatus/* CertificateStatus/1
    Enrollments Wishes Activities Reviews TimeZone ExamAnswers PracticeAnswers Practice OwnData StudyPlan viewer Suggestions
    MoreCourses StopReminders account/register account/login account/logout account/forgot-password account/new-password
    account/session account/confirm-email account/users account/users/demo account/users/* account/social/google
    account/social/* account/callback/google account/callback/* account/sign-in/email healthz readyz robots.txt sitemap.xml
    Sitemap/* site.webmanifest .well-known/did.json og.png assets/none-12345678.js media/courses/../../package.json
    files/photos/none.webp images/x.webp`

  return ['', ...text.split(/\s+/)]
}

/**
 * Creates headers. Every request has a Host, which is mostly right. Other headers may be missing.
 */
function createHeaders({ origin, cookies }: Targets): fc.Arbitrary<Record<string, string>> {
  const { host } = new URL(origin)
  const longText = 'a'.repeat(2000)
  const valuesByHeader = {
    Host: [...Array(20).fill(host), '1', 'evil.example', '[::1'],
    Origin: [...Array(20).fill(origin), 'null', 'http://evil.example', 'x'],
    Cookie: [
      ...Array(4).fill(cookies).flat(),
      '=',
      ';;',
      '__proto__=1',
      `${cookies[0]}x`,
      'x=%zz',
      `a=${longText}`,
    ],
    Accept: ['text/html', 'application/json', '*/*', ',,;q=', longText],
    'Accept-Encoding': ['br', 'gzip', 'br;q=0', '*', ';;,', longText],
    Range: ['bytes=0-10', 'bytes=-1', 'bytes=9-1', 'bytes=0-,5-', 'x', 'bytes=99999999999-'],
    'If-None-Match': ['*', 'W/"x"', '"', longText],
    'If-Modified-Since': ['x', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    'X-Forwarded-For': ['1.2.3.4', '::1', 'x,,', longText],
    'X-Forwarded-Proto': ['https', 'x'],
  }
  const arbitraries = Object.entries(valuesByHeader).map(([name, headerValues]) => [
    name,
    fc.constantFrom<string>(...headerValues),
  ])

  return fc.record<Record<string, string>, string>(Object.fromEntries(arbitraries), {
    requiredKeys: ['Host'],
  })
}

/** Creates bodies with their type: forms, JSON, multipart forms, and broken or mismatched ones. */
function createContent(): fc.Arbitrary<{ type: string; body: string }> {
  const fieldName = fc.constantFrom(...fieldNames)
  const fields = fc.array(fc.tuple(fieldName, oddText), { maxLength: 8 })

  const form = fields.map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
  const multipartForm = fields.map((pairs) => {
    const parts = pairs.map(
      ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    )
    return `${parts.join('')}--b--\r\n`
  })
  const jsonValue = fc.oneof(fc.constantFrom(...values), fc.jsonValue())
  const json = fc
    .dictionary(fieldName, jsonValue, { maxKeys: 8 })
    .map((record) => JSON.stringify(record))
  const brokenBody = fc.constantFrom(...brokenBodies)

  const bodies = [form, json, multipartForm, brokenBody]
  const matchingContents = bodies.map((arbitrary, index) =>
    arbitrary.map((body) => ({ type: contentTypes[index] ?? '', body })),
  )

  return fc.oneof(
    ...matchingContents,
    fc.record({ type: fc.constantFrom(...contentTypes), body: fc.oneof(...bodies) }),
  )
}

const contentTypes = [
  'application/x-www-form-urlencoded',
  'application/json',
  'multipart/form-data; boundary=b',
  'x',
  '',
]

const brokenBodies = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"__proto__":{"a":1}}',
  '['.repeat(20_000),
  'a'.repeat(70_000),
]
