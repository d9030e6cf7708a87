/** The depth is limited because causes can be circular. */
const maxCauseDepth = 8

/**
 * Returns a copy of an error that has only the fields that are safe to log. Database errors contain
 * the values of their statement (in `params`, `detail` and the message), which are personal data.
 */
export function toLoggableError(error: unknown, depth = 0): unknown {
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
    cause: hasCause ? toLoggableError(error.cause, depth + 1) : undefined,
    errors:
      innerErrors.length > 0
        ? innerErrors.map((innerError) => toLoggableError(innerError, depth + 1))
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
