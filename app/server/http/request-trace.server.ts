/**
 * The trace of a request: its ID, its route and its timings.
 *
 * All log lines of a request have its ID. If a trusted proxy has given the request an ID, that one
 * is used, so that the logs of the proxy and of this server can be joined.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The ID and the timings of one request, and the errors that were reported for it. */
export class RequestTrace {
  /** The pattern of the route, such as `/Learn/:course/:lesson`, or null until it is known. */
  route: string | null = null
  /** The number of queries. A transaction counts as one query. */
  queryCount = 0
  sqlMs = 0
  /** The time that queries waited for a connection of the pool. */
  poolWaitMs = 0
  renderMs = 0
  compressMs = 0
  readonly #reportedErrors = new Set<unknown>()

  constructor(readonly id: string) {}

  /**
   * Remembers that an error is reported. Returns false if it was reported for this request before.
   */
  rememberReport(error: unknown): boolean {
    if (this.#reportedErrors.has(error)) {
      return false
    }

    this.#reportedErrors.add(error)
    return true
  }
}

const traces = new AsyncLocalStorage<RequestTrace>()

/**
 * Runs the handler of one request, whose log lines get the trace's ID and whose timings it adds up.
 */
export function withTrace<T>(trace: RequestTrace, handle: () => T): T {
  return traces.run(trace, handle)
}

/**
 * Runs work that outlives its request or serves other requests, without adding to the request's
 * timings.
 */
export function runOutsideRequest<T>(work: () => T): T {
  return traces.exit(work)
}

export function currentTrace(): RequestTrace | undefined {
  return traces.getStore()
}

export function currentRequestId(): string | undefined {
  return traces.getStore()?.id
}

/**
 * Sets the route of the current request. The router and the page cache call it.
 *
 * @param pattern such as `/Learn/:course/:lesson`. It contains nothing of the requested URL.
 */
export function setRequestRoute(pattern: string): void {
  const trace = traces.getStore()
  if (trace) {
    trace.route = pattern
  }
}

/**
 * Matches UUIDs, ULIDs and hexadecimal numbers, but no email addresses and no words without a
 * digit. Only a trusted proxy can send an ID, so the pattern need not exclude everything else.
 */
const requestIdPattern = /^(?=.*\d)[\dA-Za-z][\dA-Za-z_-]{15,63}$/

/**
 * Matches the `traceparent` header of W3C Trace Context: version, trace ID, parent ID and flags.
 * The standard forbids version ff, and IDs of zeros. A later version may add more fields.
 */
const traceparentPattern =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/

/**
 * Returns the ID that a trusted proxy has given a request, so that the same ID is in its log and in
 * ours. Otherwise it returns a new ID.
 *
 * @param isFromProxy returns whether a proxy of `TRUST_PROXY` sent the headers; others are ignored
 */
export function chooseRequestId(headers: IncomingHttpHeaders, isFromProxy: () => boolean): string {
  const proxyId = headers['x-request-id']
  const { traceparent } = headers
  const hasId = proxyId !== undefined || traceparent !== undefined
  if (!hasId || !isFromProxy()) {
    return randomUUID()
  }

  if (typeof proxyId === 'string' && requestIdPattern.test(proxyId)) {
    return proxyId
  }

  const traceId =
    typeof traceparent === 'string' ? traceparentPattern.exec(traceparent)?.[1] : undefined
  return traceId ?? randomUUID()
}
