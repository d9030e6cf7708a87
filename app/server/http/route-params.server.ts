import { data, type MiddlewareFunction } from 'react-router'
import { nameRoute } from './request-trace.server'
import { unreadableAddress } from './server-messages.server'

/** IDs and numbers in the product's addresses. */
const paramShape = /^[\w.~-]{1,200}$/

export function isParam(value: string | null): value is string {
  return value !== null && paramShape.test(value)
}

/** Names the route for the log and the metrics; all unknown addresses share one name. */
export const noteRoute: MiddlewareFunction<Response> = ({ pattern }) => {
  if (!pattern.endsWith('*')) {
    nameRoute(`/${pattern.replace(/^\//, '').replaceAll('?', '')}`)
  }
}

/** Parameters without a check: their pages handle unknown values. */
const freeParams = new Set(['slug', 'section', '*'])

/**
 * Runs before every route, so that each may put its parameters into a query or an address as they
 * are.
 *
 * @throws 400 for one that cannot be an id.
 */
export const refuseOddParams: MiddlewareFunction<Response> = ({ params, pattern }) => {
  // The desk checks its parameters itself, because its pages do not exist for everyone else.
  if (/^\/?Desk\//.test(pattern)) {
    return
  }

  for (const [name, value] of Object.entries(params)) {
    if (!freeParams.has(name) && value !== undefined && !isParam(value)) {
      throw data(unreadableAddress, { status: 400 })
    }
  }
}
