import type { MiddlewareHandler } from 'hono'
import { data } from 'react-router'
import { currentMaintenance } from '../cache/shared-state.server'
import type { Maintenance } from '../database/schema'
import { siteTimeZone } from '../site/site.server'
import { isAccountApiPath, unavailableResponse } from './error-response.server'
import { safeMethods } from './request-checks.server'
import { serverMessages } from './server-messages.server'

/**
 * Refuses a request during maintenance. Public pages stay readable; changes and signed-in pages are
 * refused. Forms keep their text, and lessons keep their reports in the browser's outbox.
 *
 * @throws 503 with a message for the visitor
 */
export function refuseInMaintenance(): void {
  const maintenance = currentMaintenance()
  if (maintenance) {
    throw data(formatMaintenanceMessage(maintenance, new Date()), {
      status: 503,
      statusText: 'Maintenance',
    })
  }
}

/** Refuses forms and other changes during maintenance. This function runs before every route. */
export function refuseChangesInMaintenance({ request }: { request: Request }): void {
  if (!safeMethods.has(request.method)) {
    refuseInMaintenance()
  }
}

/** Refuses account requests during maintenance, and adds Retry-After to every 503. */
export const maintenanceMiddleware: MiddlewareHandler = async (context, next) => {
  const maintenance = currentMaintenance()
  if (!maintenance) {
    return next()
  }

  const now = new Date()
  if (isAccountApiPath(context.req.path)) {
    context.res = unavailableResponse(
      context,
      'maintenance',
      formatMaintenanceMessage(maintenance, now),
    )
  } else {
    await next()
  }

  if (context.res.status === 503) {
    context.res.headers.set('Retry-After', formatRetryAfter(maintenance, now))
  }
}

/** Forms show messages of up to 200 characters, and the time of the end is added to the message. */
export const maxMaintenanceMessageLength = 140
const minRetrySeconds = 60

/** Returns the message of a refused request. A time that has passed is left out. */
export function formatMaintenanceMessage({ message, until }: Maintenance, now: Date): string {
  const { defaultMessage, retryAfter, retrySoon } = serverMessages.maintenance
  const endsAt = until === null ? null : new Date(until)
  const retryMessage = endsAt && endsAt > now ? retryAfter(formatTime(endsAt)) : retrySoon

  const reason = message ?? defaultMessage()
  const isSentence = /[.!?…]$/.test(reason)
  return isSentence ? `${reason} ${retryMessage}` : `${reason}. ${retryMessage}`
}

/** Returns the value of the `Retry-After` header in seconds, at least a minute. */
export function formatRetryAfter({ until }: Maintenance, now: Date): string {
  const secondsLeft = until === null ? 0 : Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  return String(Math.max(minRetrySeconds, secondsLeft))
}

/** Formats a time in the school's zone, so that visitors everywhere read the same message. */
function formatTime(time: Date): string {
  return time.toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: siteTimeZone(),
    timeZoneName: 'short',
  })
}

/**
 * Parses the end of maintenance that an operator enters after `--until`. It is either a date and
 * time with a time zone, or a time of day by this machine's clock, which means its next occurrence.
 *
 * @returns null for anything else, and for a past time
 */
export function parseMaintenanceEnd(text: string, now: Date): Date | null {
  const timeOfDay = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (timeOfDay) {
    const time = new Date(now)
    time.setHours(Number(timeOfDay[1]), Number(timeOfDay[2]), 0, 0)
    if (time <= now) {
      time.setDate(time.getDate() + 1)
    }

    return time
  }

  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)) {
    return null
  }

  const time = new Date(text)

  return time > now ? time : null
}
