import type { MiddlewareHandler } from 'hono'
import { data } from 'react-router'
import { currentMaintenance } from '../cache/shared-state.server'
import { isAccountRequest, unavailable } from './error-response.server'
import { readingMethods } from './request-checks.server'
import { maintenanceWords } from './server-messages.server'

/**
 * While an operator maintains the product, public pages stay readable; changes and signed-in pages
 * are refused.
 *
 * @throws 503 with a sentence. Forms keep their text, and lessons keep their reports in the outbox.
 */
export function refuseInMaintenance(): void {
  const maintenance = currentMaintenance()
  if (maintenance) {
    throw data(maintenanceSentence(maintenance, new Date()), {
      status: 503,
      statusText: 'Maintenance',
    })
  }
}

/** Before every route. */
export function refuseChangesInMaintenance({ request }: { request: Request }): void {
  if (!readingMethods.has(request.method)) {
    refuseInMaintenance()
  }
}

/** During maintenance, refuses account requests and adds Retry-After to every 503. */
export const watchMaintenance: MiddlewareHandler = async (context, next) => {
  const maintenance = currentMaintenance()
  if (!maintenance) {
    return next()
  }

  if (isAccountRequest(context.req.path)) {
    context.res = unavailable(context, 'maintenance', maintenanceSentence(maintenance, new Date()))
  } else {
    await next()
  }

  if (context.res.status === 503) {
    context.res.headers.set('Retry-After', retryAfterSeconds(maintenance, new Date()))
  }
}

/**
 * `message`: an operator's own words; `until`: when they expect to be done; `since`: when it began;
 * both in ISO 8601. An older version stores no `since`.
 */
export type Maintenance = { message: string | null; until: string | null; since?: string }

/** A form shows sentences of up to 200 characters, with the time behind this. */
export const longestMessage = 140
const shortestWaitSeconds = 60

/** @returns the sentence of a refused request; it leaves out a time that has passed. */
export function maintenanceSentence({ message, until }: Maintenance, now: Date): string {
  const at = until === null ? null : new Date(until)
  const back = at && at > now ? maintenanceWords.back(formatTime(at)) : maintenanceWords.backSoon
  const words = (message ?? maintenanceWords.usual()).replace(/(?<![.!?…])$/, '.')

  return `${words} ${back}`
}

/** For `Retry-After`. */
export function retryAfterSeconds({ until }: Maintenance, now: Date): string {
  const left = until === null ? 0 : Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  return String(Math.max(shortestWaitSeconds, left))
}

/** Everyone reads the same words, wherever they are. */
function formatTime(at: Date): string {
  return at.toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
}

/**
 * The time of `--until`: a date and time with a time zone, or a time of day, of which the next one
 * by this machine's clock.
 *
 * @returns null for anything else, and for a past time.
 */
export function readUntil(text: string, now: Date): Date | null {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (clock) {
    const at = new Date(now)
    at.setHours(Number(clock[1]), Number(clock[2]), 0, 0)
    if (at <= now) {
      at.setDate(at.getDate() + 1)
    }

    return at
  }

  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)) {
    return null
  }

  const at = new Date(text)

  return at > now ? at : null
}
