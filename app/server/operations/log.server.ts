import { pino } from 'pino'
import { recordOutage } from '../database/connection-error.server'
import { env } from '../env.server'
import { currentTrace, loggedPath, requestId } from '../http/request-trace.server'

/**
 * One line of JSON an event. Never give it personal data: no e-mail address, no name, no token, no
 * query string.
 */
export const log = pino({
  level: env.LOG_LEVEL,
  base: null,
  mixin: () => ({ requestId: requestId() }),
  serializers: { err: loggableError },
})

/**
 * The one place where an unexpected error ends up, and is logged once a request, however many
 * layers pass it on. A refusal (4xx) that a route throws is an answer and no error.
 */
export function reportError(error: unknown, { request }: { request?: Request } = {}): void {
  recordOutage(error)
  if (isRefusal(error) || currentTrace()?.isNews(error) === false) {
    return
  }

  const where = request && {
    method: request.method,
    path: loggedPath(new URL(request.url).pathname),
  }
  log.error({ ...where, err: error }, 'unexpected error')
}

function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status' in error)) {
    return false
  }

  return typeof error.status === 'number' && error.status < 500
}

const deepestCause = 8

/**
 * An error as it may be logged, built only from safe fields. Database errors contain values of the
 * statement (`params`, `detail`, parts of the message), which are personal data.
 */
export function loggableError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) {
    return { message: 'a value that is not an Error was thrown' }
  }

  const inner = error instanceof AggregateError ? error.errors : []

  return {
    type: error.name,
    ...facts(error),
    message: messageOf(error),
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    cause:
      error.cause === undefined || depth === deepestCause
        ? undefined
        : loggableError(error.cause, depth + 1),
    errors:
      inner.length === 0 || depth === deepestCause
        ? undefined
        : inner.map((one) => loggableError(one, depth + 1)),
  }
}

/**
 * Names that libraries give, never values: of the driver, PostgreSQL, Drizzle, the system and HTTP.
 */
const factNames = [
  'code',
  'severity',
  'table',
  'column',
  'constraint',
  'routine',
  'syscall',
  'status',
]

function facts(error: Error): Record<string, unknown> {
  const known: Record<string, unknown> = {}
  for (const name of factNames) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'number' || (typeof value === 'string' && /^[\w-]{1,100}$/.test(value))) {
      known[name] = value
    }
  }

  // Of Drizzle: the statement with $1 for each value.
  const statement: unknown = Reflect.get(error, 'query')
  if (typeof statement === 'string' && Array.isArray(Reflect.get(error, 'params'))) {
    known.statement = statement
  }

  return known
}

/** PostgreSQL's code for a message of `raise exception` in a trigger or function. */
const raisedByHand = 'P0001'

function messageOf(error: Error): string {
  if ('code' in error && error.code === raisedByHand) {
    return 'raised by a function of the database'
  }

  if ('query' in error && 'params' in error) {
    return 'Failed query'
  }

  return withoutValues(error.message)
}

/** The first line of a message, without quoted text, addresses, numbers and long identifiers. */
function withoutValues(message: string): string {
  return (message.split('\n')[0] ?? '')
    .slice(0, 300)
    .replace(/"[^"]*"|`[^`]*`|“[^”]*”|(?<!\w)'[^']*'/g, '"…"')
    .replace(/\S*@\S*/g, '…')
    .replace(/\?\S+/g, '?…')
    .replace(/[\w-]*\d[\w-]*/g, (word) => (word.length > 12 ? '…' : word))
}
