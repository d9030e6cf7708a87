import { data, type MiddlewareFunction } from 'react-router'
import { setRequestRoute } from './request-trace.server'
import { serverMessages } from './server-messages.server'

/** Matches the IDs and numbers in the product's URLs. */
const paramShape = /^[\w.~-]{1,200}$/

/** Returns whether a text can be an ID or number of a URL. */
export function isParam(value: string | null): value is string {
  return value !== null && paramShape.test(value)
}

/**
 * Records the route of the request for the log and the metrics. All unknown URLs share the route
 * `other`.
 */
export const recordRoute: MiddlewareFunction<Response> = ({ pattern }) => {
  if (!pattern.endsWith('*')) {
    setRequestRoute(`/${pattern.replace(/^\//, '').replaceAll('?', '')}`)
  }
}

/** These parameters are not checked, because their pages handle any value. */
const uncheckedParams = new Set(['slug', 'section', '*'])

/**
 * Refuses parameters that cannot be IDs. It runs before every route, so that a route may put its
 * parameters into a query or a URL without a check.
 *
 * @throws 400 for an invalid parameter
 */
export const refuseInvalidParams: MiddlewareFunction<Response> = ({ params, pattern }) => {
  // The desk checks its parameters itself, because its pages do not exist for everyone else.
  if (/^\/?Desk\//.test(pattern)) {
    return
  }

  for (const [name, value] of Object.entries(params)) {
    if (!uncheckedParams.has(name) && value !== undefined && !isParam(value)) {
      throw data(serverMessages.unreadableAddress, { status: 400 })
    }
  }
}
