import { data, type MiddlewareFunction } from 'react-router'

/** Ids, slugs, numbers and names of sections: what stands in an address of this product. */
const paramShape = /^[\w.~-]{1,200}$/

/**
 * Runs before every route, so that each may put its parameters into a query or an address as they are.
 *
 * @throws 404 for one that names nothing here; a path that no route knows (`*`) is free.
 */
export const refuseOddParams: MiddlewareFunction<Response> = ({ params }) => {
  for (const [name, value] of Object.entries(params)) {
    if (name !== '*' && value !== undefined && !paramShape.test(value)) {
      throw data('There is no page at this address.', { status: 404 })
    }
  }
}
