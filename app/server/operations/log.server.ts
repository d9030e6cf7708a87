import { destination, pino } from 'pino'
import { recordOutage } from '../database/outage.server'
import { env } from '../env.server'
import { toLoggedPath } from '../http/logged-path.server'
import { currentRequestId, currentTrace } from '../http/request-trace.server'
import { toLoggableError } from './loggable-error.server'
import { formatTerminalLine } from './terminal-line.server'

/**
 * The log of this process, with one line of JSON for each event, or a readable line on a terminal.
 * It must not contain personal data: no email addresses, names, tokens or query strings.
 */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    base: null,
    mixin: () => ({ requestId: currentRequestId() }),
    serializers: { err: (error) => toLoggableError(error) },
  },
  process.stdout.isTTY
    ? { write: (line) => process.stdout.write(formatTerminalLine(line)) }
    : destination(1),
)

/**
 * Logs an unexpected error. All unexpected errors come here. An error that several layers of a
 * request report is logged once. A response with status 4xx that a route throws is not an error.
 */
export function reportError(error: unknown, { request }: { request?: Request } = {}): void {
  recordOutage(error)
  const wasReported = currentTrace()?.rememberReport(error) === false
  if (isRefusal(error) || wasReported) {
    return
  }

  const requestFields = request && {
    method: request.method,
    path: toLoggedPath(new URL(request.url).pathname),
  }
  log.error({ ...requestFields, err: error }, 'unexpected error')
}

/** Returns whether a route threw a response or `data` with status 4xx. */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status' in error)) {
    return false
  }

  return typeof error.status === 'number' && error.status < 500
}
