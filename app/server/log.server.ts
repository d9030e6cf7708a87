import { pino } from 'pino'
import { env } from './env.server'

/** One line of JSON an event. Never give it personal data: no e-mail address, no name, no token, no query string. */
export const log = pino({ level: env.LOG_LEVEL, base: null })

/** The one place where an unexpected error ends up. */
export function reportError(error: unknown, { request }: { request?: Request } = {}): void {
  const where = request && { method: request.method, path: new URL(request.url).pathname }
  log.error({ ...where, err: error }, 'unexpected error')
}
