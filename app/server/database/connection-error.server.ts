import { StartError } from '../operations/settings/settings.server'

/** Returns host and name of a database, without its password, for operators and the log. */
export function describeDatabase(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

/** Returns an error whose message has the reason and, for common problems, the fix. */
export function createConnectionError(error: unknown, url: string): StartError {
  const { message, code } = findRootCause(error)
  // A refused connection to a host name with several IP addresses has no message.
  const reason = message || code || 'no reason was given'
  const advice = findAdvice(code, new URL(url))

  return new StartError(
    [`The database ${describeDatabase(url)} can’t be used: ${reason}.`, advice].join(' ').trim(),
  )
}

/** Returns whether PostgreSQL refused a statement, or the connection to it was lost. */
export function isDatabaseError(error: unknown): boolean {
  const rootCause = findRootCause(error)
  if ('severity' in rootCause || isLostConnection(rootCause)) {
    return true
  }

  // An error of the connection to the database has the code itself. A failed request to S3 has the
  // code in its cause.
  const { code } = error as { code?: string }

  return code === 'ECONNRESET' || code === 'EPIPE'
}

/**
 * Messages of `pg` without an error code, when a server closes the connection or doesn't respond.
 */
const lostConnectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered a connection error))/

/**
 * Returns whether a connection is unusable: it is closed, does not respond, or is read-only since a
 * failover (25006).
 */
export function isLostConnection(error: unknown): boolean {
  const { message, code } = findRootCause(error)
  return lostConnectionMessages.test(message) || code === '25006'
}

/** Returns the driver's error, which Drizzle wraps in its own. */
export function findRootCause(error: unknown): Error & { code?: string } {
  const { cause } = error as Error
  return cause instanceof Error ? findRootCause(cause) : (error as Error)
}

/** @param code a code of PostgreSQL or of the operating system */
function findAdvice(code: string | undefined, { username, pathname }: URL): string {
  const user = decodeURIComponent(username)
  const database = decodeURIComponent(pathname.slice(1))
  switch (code) {
    case 'ECONNREFUSED':
      return 'Nothing answers there: see whether PostgreSQL, or the pooler, is running at this address.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'There’s no such host: check the address.'
    case '28000':
    case '28P01':
      return 'Check the user and the password in the address.'
    case '3D000':
      return `Create it: ${formatCreateCommand(user, database)}`
    case '42501':
      if (!user) {
        return 'The user must own the database.'
      }

      return `The user must own the database: alter database "${database}" owner to "${user}"`
    default:
      return ''
  }
}

function formatCreateCommand(user: string, database: string): string {
  const ownerOptions = user ? [`--owner ${user}`] : []
  const options = [...ownerOptions, '--template template0', '--encoding UTF8']
  return ['createdb', ...options, database].join(' ')
}

/**
 * Requires the encoding UTF-8. Only this encoding stores, sorts and searches names in every script.
 *
 * @throws {StartError} if the database has another encoding
 */
export function requireUtf8Encoding(encoding: string | undefined, url: string): void {
  if (encoding === 'UTF8') {
    return
  }

  throw new StartError(
    `The database ${describeDatabase(url)} has the encoding ${encoding}. Learnify needs UTF8: create it with createdb --template template0 --encoding UTF8`,
  )
}
