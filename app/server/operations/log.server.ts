import { pino } from 'pino'
import { noteOutage } from '../database/outage.server'
import { env } from '../env.server'
import { loggedPath } from '../http/logged-path.server'
import { currentTrace, requestId } from '../http/request-trace.server'
import { loggableError, withoutValues } from './loggable-error.server'

/** One line of JSON an event. Never give it personal data: no e-mail address, no name, no token, no query string. */
export const log = pino({
  level: env.LOG_LEVEL,
  base: null,
  mixin: () => ({ requestId: requestId() }),
  serializers: { err: loggableError },
})

/**
 * The one place where an unexpected error ends up, and is logged once a request, however many layers pass it on. A refusal
 * (4xx) that a route throws is an answer and no error.
 */
export function reportError(error: unknown, { request }: { request?: Request } = {}): void {
  noteOutage(error)
  if (isRefusal(error) || currentTrace()?.isNews(error) === false) return
  const where = request && { method: request.method, path: loggedPath(new URL(request.url).pathname) }
  log.error({ ...where, err: error }, 'unexpected error')
}

function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status' in error)) return false
  return typeof error.status === 'number' && error.status < 500
}

/** What libraries write past the log goes through it, as a line of its own and without values. */
export function captureConsole(): void {
  for (const method of ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const) {
    console[method] = (...said: unknown[]) => {
      const error = said.find((part) => part instanceof Error)
      const level = method === 'error' ? 'error' : method === 'warn' ? 'warn' : 'info'
      // Only the first text: what follows are values.
      const [first] = said
      log[level]({ said: typeof first === 'string' ? withoutValues(first) : undefined, err: error }, 'from a library')
    }
  }
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'from a library'))
}
