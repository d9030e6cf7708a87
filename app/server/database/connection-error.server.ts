import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
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
  const root = findRootCause(error)
  if ('severity' in root || isLostConnection(root)) {
    return true
  }

  // Only an error of the connection's own socket has the code itself. A failed request to S3 has it in
  // its cause.
  const { code } = error as { code?: string }

  return code === 'ECONNRESET' || code === 'EPIPE'
}

/**
 * Messages of `pg` without an error code, when a server closes the connection or doesn't respond.
 */
const lostMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered a connection error))/

/**
 * Returns whether a connection is unusable: it is closed, does not respond, or is read-only since a
 * failover (25006).
 */
export function isLostConnection(error: unknown): boolean {
  const { message, code } = findRootCause(error)
  return lostMessages.test(message) || code === '25006'
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

/** Only this encoding stores, sorts and searches names in every script. */
export function requireUtf8Encoding(encoding: string | undefined, url: string): void {
  if (encoding === 'UTF8') {
    return
  }

  throw new StartError(
    `The database ${describeDatabase(url)} has the encoding ${encoding}. Learnify needs UTF8: create it with createdb --template template0 --encoding UTF8`,
  )
}

type RequestStatus = { hasOutage: boolean }

const requestStatus = new AsyncLocalStorage<RequestStatus>()

/**
 * SQLSTATE classes and system error codes that are not the query's fault: connection failure (08 and
 * network errors), out of resources (53: connections, memory, disk), operator intervention or timeout
 * (57), system error (58), transaction conflict (40), login refused (28), database missing (3D) and
 * lock not available (55P03).
 */
const outageCodes =
  /^(08|53|57|58|40|28|3D|55P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|ENOTFOUND|EMFILE)/

/** Drizzle wraps the database's error, so the causes are searched, too. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false
  }

  if (isLostConnection(error) || ('code' in error && outageCodes.test(String(error.code)))) {
    return true
  }

  return isOutage(error.cause)
}

/** Marks the current request as failed by an outage. */
export function recordOutage(error: unknown): void {
  const request = requestStatus.getStore()
  if (request && isOutage(error)) {
    request.hasOutage = true
  }
}

/** Turns a 500 that a database outage caused into a 503 with Retry-After. */
export const outageMiddleware: MiddlewareHandler = async (context, next) => {
  const request: RequestStatus = { hasOutage: false }
  await requestStatus.run(request, next)
  if (!request.hasOutage || context.res.status < 500) {
    return
  }

  const { body, headers } = context.res
  context.res = new Response(body, { status: 503, headers })
  context.res.headers.set('Retry-After', '5')
}
