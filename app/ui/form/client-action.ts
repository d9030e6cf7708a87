import { type ClientActionFunctionArgs, data } from 'react-router'
import { describeFailedRequest } from '../connection'
import { failedResult } from './form-result'

/**
 * Returns the `clientAction` of a route with a form. It submits the form to the server. If no
 * response arrives, the page stays as it is, with everything that was entered, and the form shows
 * an error message.
 *
 * @typeParam RouteAction the type of the route's `action`
 */
export function createClientAction<RouteAction>() {
  return ({ serverAction }: ClientActionFunctionArgs) =>
    serverAction<RouteAction>().catch(failedRequestResponse)
}

/**
 * Describes a failed request as the result of its form.
 *
 * @throws the error itself if React Router handles it: a redirect, or a status like 404
 */
export function failedRequestResponse(error: unknown) {
  return data(failedResult(describeFailedRequest(error)), { status: 503 })
}
