import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The ID and the timings of one request, and the errors that were reported for it. */
export class RequestTrace {
  /** The pattern of the route, such as `/Learn/:course/:lesson`, or null until it is known. */
  route: string | null = null
  /** The number of queries. A transaction counts as one query, from `begin` to its end. */
  queries = 0
  sqlMs = 0
  /** The time that queries waited for a connection. */
  poolMs = 0
  renderMs = 0
  compressMs = 0
  readonly #reported = new Set<unknown>()

  constructor(readonly id: string) {}

  /** Remembers the error. Returns false if it was reported for this request before. */
  isFirstReport(error: unknown): boolean {
    if (this.#reported.has(error)) {
      return false
    }

    this.#reported.add(error)
    return true
  }
}

const traces = new AsyncLocalStorage<RequestTrace>()

/** Runs the handler of one request. Its log lines get the ID of the trace, and its timings are added. */
export const withTrace = traces.run.bind(traces) as <T>(trace: RequestTrace, handle: () => T) => T

/**
 * Runs work that outlives its request or serves other requests, without adding to the request's
 * timings.
 */
export const runOutsideRequest = traces.exit.bind(traces) as <T>(work: () => T) => T

export function currentTrace(): RequestTrace | undefined {
  return traces.getStore()
}

/** Returns the ID of the current request. */
export function requestId(): string | undefined {
  return traces.getStore()?.id
}

/**
 * Sets the route of the current request. The router and the page cache call it.
 *
 * @param pattern is one of few patterns and contains nothing of the requested URL
 */
export function setRequestRoute(pattern: string): void {
  const trace = traces.getStore()
  if (trace) {
    trace.route = pattern
  }
}

/** Matches UUIDs, ULIDs and hexadecimal numbers, but nothing that could be a name or an email address. */
const wellFormedId = /^(?=.*\d)[\dA-Za-z][\dA-Za-z_-]{15,63}$/
/**
 * Matches the `traceparent` header of W3C Trace Context: version, trace ID, parent ID and flags. A later
 * version of the standard may add more fields.
 */
const traceParent =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/

/**
 * Returns the ID that a trusted proxy has given a request, so that the same ID is in its log and in
 * ours. Otherwise it returns a new ID.
 *
 * @param isFromProxy returns whether a proxy of `TRUST_PROXY` sent the headers; others are ignored
 */
export function chooseRequestId(headers: IncomingHttpHeaders, isFromProxy: () => boolean): string {
  const proxyId = headers['x-request-id']
  const parent = headers.traceparent
  const hasId = proxyId !== undefined || parent !== undefined
  if (!hasId || !isFromProxy()) {
    return randomUUID()
  }

  if (typeof proxyId === 'string' && wellFormedId.test(proxyId)) {
    return proxyId
  }

  const traceId = typeof parent === 'string' ? traceParent.exec(parent)?.[1] : undefined
  return traceId ?? randomUUID()
}

/** The path segments that may be logged. Any other segment may be a learner's ID or a secret. */
const loggedSegments = new Set(
  `AllCourses OneCourse Login SignUp ResetPassword Instructor Terms Privacy Certificate Profile Learn Exam Enrollments Wishes
  Gift Checkout Activities Practice StudyPlan StopReminders NotMe CommonPasswords Refund purchases progress Reviews TimeZone ExamAnswers OwnData film mail certificate.pdf picture.png picture.jpg credential.json holder
  CertificateStatus .well-known did.json robots.txt sitemap.xml Sitemap account register login logout forgot-password
  new-password session confirm-email ConfirmEmail users callback social social-end google facebook sample sample-identity choose healthz readyz assets
  images media files overview personal-info current-courses exam-scores achievements settings
  __manifest Report Desk People Courses Learners Announcements New Orders Staff Site History Pages brand Audit Join Export Import`.split(
    /\s+/,
  ),
)

/**
 * Returns a path for the log, with `*` in the place of each segment that may not be logged. An example
 * is `/account/users/*`.
 */
export function loggedPath(path: string): string {
  const segments = path.split('/').map((segment) => {
    const name = segment.replace(/\.data$/, '')
    return name === '' || name === '_' || loggedSegments.has(name) ? segment : '*'
  })

  return segments.slice(0, 8).join('/')
}
