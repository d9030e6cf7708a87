/**
 * Turns the outcome of a route action into its response.
 *
 * Every route action answers with a `FormResult`, whether a script sent the form or the browser
 * sent it without one. Only the second kind of request leaves its page, so a route action without
 * a page of its own names one to go to (`page`).
 */
import { data, redirect } from 'react-router'
import { isDataRequest } from './client-address.server'

type FieldErrors = Partial<Record<string, string>>

type SuccessOptions = {
  headers?: HeadersInit
  /** The path that a form submitted without a script is redirected to. */
  page?: string
}

/**
 * Responds that the change was made, now or by an earlier copy of the same request.
 *
 * @param result data about the change for the page, and a notice for its reader
 * @throws a redirect to `page` for a form that was submitted without a script
 */
export function successResponse<Result extends object = object>(
  result = {} as Result & { notice?: string },
  { headers, page }: SuccessOptions = {},
) {
  if (page !== undefined && isSubmittedWithoutScript()) {
    throw redirect(page, { status: 303, headers })
  }

  return data({ done: true as const, ...result }, { headers })
}

type ErrorOptions = {
  status?: number
  headers?: HeadersInit
  /** The submitted form, whose values a page without scripts fills in again. */
  form?: FormData
  /**
   * Set by a route without a page of its own. A form submitted without a script then gets the error
   * message as plain text.
   */
  page?: string
  /** A message for the banner above the page, in addition to the errors. */
  banner?: string
}

/**
 * Responds that nothing was changed.
 *
 * @param problem a sentence about the whole form, or one for each wrong field
 * @throws a response with the message alone, as described for `page`
 */
export function errorResponse(
  problem: string | FieldErrors,
  { status = 400, headers, form, page, banner }: ErrorOptions = {},
) {
  const errors: FieldErrors = typeof problem === 'string' ? { form: problem } : problem
  if (page !== undefined && isSubmittedWithoutScript()) {
    const [message] = Object.values(errors)
    throw new Response(message, { status, headers })
  }

  const submittedValues = form ? readSubmittedValues(form) : undefined
  return data({ done: false as const, errors, submittedValues, banner }, { status, headers })
}

type SchemaError = { issues: { path: PropertyKey[]; message: string }[] }

/** Responds with the message of a form's schema for each wrong field. */
export function fieldErrorsResponse(error: SchemaError, form: FormData) {
  const errors = error.issues.map(({ path, message }) => [path.join('.'), message] as const)
  return errorResponse(Object.fromEntries(errors), { form })
}

/** Returns whether the browser leaves its page for the response, because no script sent the form. */
export function isSubmittedWithoutScript(): boolean {
  return !isDataRequest()
}

/** Returns the submitted texts that a page may show again. Passwords and tokens are left out. */
export function readSubmittedValues(form: FormData): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of form) {
    const isSecret = /password|token/i.test(name)
    if (typeof value === 'string' && !isSecret) {
      values[name] = value
    }
  }

  return values
}
