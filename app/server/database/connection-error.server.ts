import { StartError } from '../operations/settings/settings.server'

/** An address as operators may see it: host and database. */
export function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

/**
 * @param url of the database that couldn't be used.
 * @returns a sentence with the reason and, for common problems, the fix.
 */
export function connectionError(error: unknown, url: string): StartError {
  const { message, code } = rootOf(error)
  // A refused connection to a name with several addresses has no message of its own.
  const reason = message || code || 'no reason was given'
  const advice = adviceFor(code, new URL(url))

  return new StartError(
    [`The database ${withoutPassword(url)} can’t be used: ${reason}.`, advice].join(' ').trim(),
  )
}

/** Whether PostgreSQL refused something, or the connection to it was lost. */
export function isDatabaseError(error: unknown): boolean {
  const root = rootOf(error)
  if ('severity' in root || isLostConnection(root)) {
    return true
  }

  // Of the connection's own socket; the cause of a failed request to S3 isn't meant.
  const { code } = error as { code?: string }

  return code === 'ECONNRESET' || code === 'EPIPE'
}

/**
 * Messages of `pg` without an error code, when a server closes the connection or doesn't respond.
 */
const lostMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered a connection error))/

/**
 * True if a connection is unusable: closed, without a response, or read-only since a failover
 * (25006).
 */
export function isLostConnection(error: unknown): boolean {
  const { message, code } = rootOf(error)
  return lostMessages.test(message) || code === '25006'
}

/** The error of the driver within that of Drizzle. */
export function rootOf(error: unknown): Error & { code?: string } {
  const { cause } = error as Error
  return cause instanceof Error ? rootOf(cause) : (error as Error)
}

/** @param code of PostgreSQL or of the system. */
function adviceFor(code: string | undefined, { username, pathname }: URL): string {
  const user = decodeURIComponent(username)
  const database = decodeURIComponent(pathname.slice(1))
  const owner = user ? [`--owner ${user}`] : []
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
      return `Create it: ${['createdb', ...owner, '--template template0 --encoding UTF8', database].join(' ')}`
    case '42501':
      if (!user) {
        return 'The user must own the database.'
      }

      return `The user must own the database: alter database "${database}" owner to "${user}"`
    default:
      return ''
  }
}

/** Names in any script are stored, sorted and searched as letters in this encoding only. */
export function requireUtf8(encoding: string | undefined, url: string): void {
  if (encoding === 'UTF8') {
    return
  }

  throw new StartError(
    `The database ${withoutPassword(url)} has the encoding ${encoding}. Learnify needs UTF8: create it with createdb --template template0 --encoding UTF8`,
  )
}
