import { pino } from 'pino'
import { env } from './env.server'

/** One line of JSON an event. Never give it personal data: no e-mail address, no name, no token, no query string. */
export const log = pino({ level: env.LOG_LEVEL, base: null, serializers: { err: withoutValues } })

/** The one place where an unexpected error ends up. */
export function reportError(error: unknown, { request }: { request?: Request } = {}): void {
  const where = request && { method: request.method, path: new URL(request.url).pathname }
  log.error({ ...where, err: error }, 'unexpected error')
}

/**
 * An error as it may be logged. Database errors carry the values of their statement (`params`, after the statement in the
 * message, and in PostgreSQL's `detail`), which are people's data.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'something that is no Error was thrown' }
  const message = error.message.split('\nparams:')[0] ?? ''
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return {
    type: error.name,
    code: 'code' in error ? error.code : undefined,
    message,
    stack: frames.join('\n'),
    cause: error.cause === undefined ? undefined : withoutValues(error.cause),
  }
}
