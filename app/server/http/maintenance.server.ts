import type { MiddlewareHandler } from 'hono'
import { data } from 'react-router'
import { currentMaintenance } from '../cache/shared-state.server'
import { isAccountRequest, unavailable } from './error-response.server'
import { maintenanceSentence, retryAfterSeconds } from './maintenance-words'
import { readingMethods } from './request-checks.server'

/**
 * While an operator maintains the product, public pages stay readable; changes and signed-in pages are refused.
 *
 * @throws 503 with a sentence: a form keeps what was typed, and a lesson's page its reports.
 */
export function refuseInMaintenance(): void {
  const maintenance = currentMaintenance()
  if (maintenance) throw data(maintenanceSentence(maintenance, new Date()), { status: 503, statusText: 'Maintenance' })
}

/** Before every route. */
export function refuseChangesInMaintenance({ request }: { request: Request }): void {
  if (!readingMethods.has(request.method)) refuseInMaintenance()
}

/** Refuses what signs in, and says when to come back. */
export const watchMaintenance: MiddlewareHandler = async (context, next) => {
  const maintenance = currentMaintenance()
  if (!maintenance) return next()
  if (isAccountRequest(context.req.path))
    context.res = unavailable(context, 'maintenance', maintenanceSentence(maintenance, new Date()))
  else await next()
  if (context.res.status === 503) context.res.headers.set('Retry-After', retryAfterSeconds(maintenance, new Date()))
}
