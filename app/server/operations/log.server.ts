import { destination, pino } from 'pino'
import { recordOutage } from '../database/connection-error.server'
import { env } from '../env.server'
import { toLoggedPath } from '../http/logged-path.server'
import { currentRequestId, currentTrace } from '../http/request-trace.server'

/**
 * The log of this process, with one line of JSON for each event, or a readable line on a terminal. It
 * must not contain personal data: no email addresses, names, tokens or query strings.
 */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    base: null,
    mixin: () => ({ requestId: currentRequestId() }),
    serializers: { err: loggableError },
  },
  process.stdout.isTTY
    ? { write: (line) => process.stdout.write(formatTerminalLine(line)) }
    : destination(1),
)

/**
 * Logs an unexpected error. All unexpected errors come here. An error that several layers of a request
 * report is logged once. A response with status 4xx that a route throws is not an error.
 */
export function reportError(error: unknown, { request }: { request?: Request } = {}): void {
  recordOutage(error)
  if (isRefusal(error) || currentTrace()?.rememberReport(error) === false) {
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

/** Causes can be circular. */
const maxCauseDepth = 8

/**
 * Returns a copy of an error that has only the fields that are safe to log. Database errors contain the
 * values of their statement (in `params`, `detail` and the message), which are personal data.
 */
export function loggableError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) {
    return { message: 'a value that is not an Error was thrown' }
  }

  const isTooDeep = depth === maxCauseDepth
  const hasCause = error.cause !== undefined && !isTooDeep
  const innerErrors = error instanceof AggregateError && !isTooDeep ? error.errors : []
  // The first lines of a stack repeat the message.
  const stackLines = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))

  return {
    type: error.name,
    ...getSafeFields(error),
    message: getSafeMessage(error),
    stack: stackLines?.join('\n'),
    cause: hasCause ? loggableError(error.cause, depth + 1) : undefined,
    errors:
      innerErrors.length > 0
        ? innerErrors.map((innerError) => loggableError(innerError, depth + 1))
        : undefined,
  }
}

/**
 * The fields that the database driver, PostgreSQL, Drizzle, the operating system and HTTP libraries
 * fill with names and codes, never with values.
 */
const safeFieldNames = [
  'code',
  'severity',
  'table',
  'column',
  'constraint',
  'routine',
  'syscall',
  'status',
]

function getSafeFields(error: Error): Record<string, unknown> {
  const safeFields: Record<string, unknown> = {}
  for (const name of safeFieldNames) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'number' || (typeof value === 'string' && /^[\w-]{1,100}$/.test(value))) {
      safeFields[name] = value
    }
  }

  // Drizzle's statements have $1 in the place of a value.
  const statement: unknown = Reflect.get(error, 'query')
  if (typeof statement === 'string' && Array.isArray(Reflect.get(error, 'params'))) {
    safeFields.statement = statement
  }

  return safeFields
}

/** The code of an error that a trigger or function raised with a message of its own. */
const raiseException = 'P0001'

function getSafeMessage(error: Error): string {
  if ('code' in error && error.code === raiseException) {
    return 'raised by a function of the database'
  }

  if ('query' in error && 'params' in error) {
    return 'Failed query'
  }

  return removeValues(error.message)
}

/**
 * Returns the first line of a message, without quoted text, email addresses, query strings and long
 * identifiers.
 */
function removeValues(message: string): string {
  return (message.split('\n')[0] ?? '')
    .slice(0, 300)
    .replace(/"[^"]*"|`[^`]*`|“[^”]*”|(?<!\w)'[^']*'/g, '"…"')
    .replace(/\S*@\S*/g, '…')
    .replace(/\?\S+/g, '?…')
    .replace(/[\w-]*\d[\w-]*/g, (word) => (word.length > 12 ? '…' : word))
}

const warnLevel = 40
const errorLevel = 50

/**
 * Turns a line of the log into text for a terminal: the time, the message and the other fields. The
 * stack of an error follows on lines of its own.
 */
export function formatTerminalLine(line: string): string {
  const { level, time, msg, requestId: _, err, ...fields } = JSON.parse(line)
  const words = [formatTime(time), ...listLevelWords(level), msg, ...listFields(fields)]
  const lines = [words.join('  ')]

  if (err !== undefined) {
    const { stack, ...errorFields } = err
    lines.push(`    ${listFields(errorFields).join('  ')}`)
    if (stack !== undefined) {
      lines.push(stack)
    }
  }

  return `${escapeControlCharacters(lines.join('\n'))}\n`
}

/**
 * Escapes the characters that could move the cursor or change the terminal. Line breaks stay, because
 * some messages are lists.
 */
function escapeControlCharacters(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}

/** Formats the time of day of the machine, such as 14:05:09. */
function formatTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}

/** Names only the levels that need attention. */
function listLevelWords(level: number): string[] {
  if (level >= errorLevel) {
    return ['ERROR']
  }

  return level >= warnLevel ? ['WARNING'] : []
}

function listFields(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).map(([name, value]) => `${name}=${formatValue(value)}`)
}

/** Quotes a value unless it is one plain word, so that its end is visible. */
function formatValue(value: unknown): string {
  const isPlainWord = typeof value === 'string' && /^[\w./:*@-]+$/.test(value)
  return isPlainWord ? value : JSON.stringify(value)
}
