import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request's ID and timings. */
export class RequestTrace {
  /** The pattern of its route, as in `/Learn/:course/:lesson?`; null until one is found. */
  route: string | null = null
  /** A transaction counts as one, from `begin` to its end. */
  queries = 0
  sqlMs = 0
  /** Before a connection took up its queries. */
  poolMs = 0
  renderMs = 0
  compressMs = 0
  readonly #reported = new Set<unknown>()

  constructor(readonly id: string) {}

  /** @returns false for an error of this request that was reported before. */
  isNews(error: unknown): boolean {
    if (this.#reported.has(error)) {
      return false
    }

    this.#reported.add(error)
    return true
  }
}

const traces = new AsyncLocalStorage<RequestTrace>()

/**
 * Runs the answer to one request, whose log lines carry its number and whose parts note their time.
 */
export const withTrace = traces.run.bind(traces) as <T>(trace: RequestTrace, answer: () => T) => T

/**
 * Runs work that outlives its request or serves other requests, without adding to the request's
 * timings.
 */
export const apartFromRequest = traces.exit.bind(traces) as <T>(work: () => T) => T

export function currentTrace(): RequestTrace | undefined {
  return traces.getStore()
}

/** The number of the request under way. */
export function requestId(): string | undefined {
  return traces.getStore()?.id
}

/**
 * Set by the router or the page cache.
 *
 * @param pattern one of few, without anything of the address.
 */
export function nameRoute(pattern: string): void {
  const trace = traces.getStore()
  if (trace) {
    trace.route = pattern
  }
}

/** UUIDs, ULIDs and hexadecimal numbers, and nothing that could be a name or an address. */
const wellFormed = /^(?=.*\d)[\dA-Za-z][\dA-Za-z_-]{15,63}$/
/** W3C Trace Context: version, trace, parent, flags; of a later version more may follow. */
const traceParent =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/

/**
 * A request's number: the one that a proxy gave it, so that its log and ours name the same thing,
 * or a new one.
 *
 * @param isFromProxy whether the headers come from a proxy of `TRUST_PROXY`; others are ignored.
 */
export function chooseRequestId(headers: IncomingHttpHeaders, isFromProxy: () => boolean): string {
  const given = headers['x-request-id']
  const parent = headers.traceparent
  if ((given === undefined && parent === undefined) || !isFromProxy()) {
    return randomUUID()
  }

  if (typeof given === 'string' && wellFormed.test(given)) {
    return given
  }

  return (typeof parent === 'string' && traceParent.exec(parent)?.[1]) || randomUUID()
}

/**
 * Segments of our own addresses that may be logged. Any other segment may be a learner's ID or a
 * secret.
 */
const words = new Set(
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
 * The path for the log, with `*` for each segment that isn't in the list, like `/account/users/*`.
 */
export function loggedPath(path: string): string {
  const segments = path.split('/').map((segment) => {
    const word = segment.replace(/\.data$/, '')
    return word === '' || word === '_' || words.has(word) ? segment : '*'
  })
  return segments.slice(0, 8).join('/')
}
