import { data, type MiddlewareFunction } from 'react-router'

/** Ids and numbers: what stands in an address of this product. */
const paramShape = /^[\w.~-]{1,200}$/

export function isParam(value: string | null): value is string {
  return value !== null && paramShape.test(value)
}

/** Of an unknown course, section or path the page itself says so, whatever it is called. */
const freeParams = new Set(['slug', 'section', '*'])

/**
 * Runs before every route, so that each may put its parameters into a query or an address as they are.
 *
 * @throws 400 for one that cannot be an id.
 */
export const refuseOddParams: MiddlewareFunction<Response> = ({ params }) => {
  for (const [name, value] of Object.entries(params)) {
    if (!freeParams.has(name) && value !== undefined && !isParam(value)) {
      throw data('We couldn’t read this address.', { status: 400 })
    }
  }
}
