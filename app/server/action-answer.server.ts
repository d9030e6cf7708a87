import { data, redirect } from 'react-router'
import { isDataRequest } from './client-address.server'

type Result = { done: true } | { done: false; errors: Partial<Record<string, string>> }

type Answer = {
  /** By default 200 for what was done and 400 for what was refused. */
  status?: number
  headers?: HeadersInit
  /** Of a route that has no page itself: the page that shows the change. */
  page?: string
  /** Of such a route, too: where a plain form goes back to and reads why it was refused. */
  back?: string
}

/**
 * Answers a form that was read: a script gets the result as data; a plain form is led to the page that shows the change,
 * or gets the route's own page with the errors.
 *
 * @throws a Response: where a plain form goes on, or the sentence that refuses it, if the route has no page itself.
 */
export function answerAction<R extends Result>(
  request: Request,
  result: R,
  { status, headers, page, back }: Answer = {},
) {
  const init = { status: status ?? (result.done ? 200 : 400), headers }
  if (!isPlainForm(request)) return data(result, init)
  const onward = result.done ? page : back
  if (onward !== undefined) throw redirect(onward, { ...init, status: 303 })
  if (page === undefined || result.done) return data(result, init)
  throw new Response(Object.values(result.errors)[0], init)
}

/** False for a script, which asks by React Router for data, or for JSON; everybody else is led on, like a browser. */
export function isPlainForm(request: Request): boolean {
  return !isDataRequest() && !request.headers.get('accept')?.includes('application/json')
}
