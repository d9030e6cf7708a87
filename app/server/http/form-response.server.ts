/**
 * Turns the outcome of a route action into its response, a `FormResult` (`ui/form/form-result.ts`).
 *
 * - A page's script sent the form: the script gets the `FormResult`.
 * - The browser sent the form without a script: React Router renders the route's page with the
 *   `FormResult`. A route without a page redirects after a success (`redirectTo`), and responds to an
 *   error with plain text (`asPlainText`).
 */
import { data, redirect } from 'react-router'
import { isDataRequest } from './request-source.server'

/** The message of each wrong field. The message about the whole form has the key `wholeFormKey`. */
type FieldErrors = Partial<Record<string, string>>

const wholeFormKey = 'form'

type SuccessOptions = {
  headers?: HeadersInit
  /** The path that a form submitted without a script is redirected to. */
  redirectTo?: string
}

/**
 * Responds that the change was made.
 *
 * @param result data about the change for the page, and a notice that the page displays
 * @throws a redirect to `redirectTo` for a form that was submitted without a script. It is thrown so
 *   that the return type is that of the form's result alone.
 */
export function successResponse<Result extends object = object>(
  result = {} as Result & { notice?: string },
  { headers, redirectTo }: SuccessOptions = {},
) {
  if (redirectTo !== undefined && isSubmittedWithoutScript()) {
    throw redirect(redirectTo, { status: 303, headers })
  }

  return data({ ...result, done: true as const }, { headers })
}

type ErrorOptions = {
  status?: number
  headers?: HeadersInit
  /** The submitted form, whose values a page without scripts fills in again. */
  form?: FormData
  /** Whether a form submitted without a script gets the message as plain text. For routes without a page. */
  asPlainText?: boolean
  /** A message for the banner above the page, in addition to the errors. */
  banner?: string
}

/**
 * Responds that nothing was changed.
 *
 * @param problem a sentence about the whole form, or one for each wrong field
 * @throws the response in plain text, as described for `asPlainText`
 */
export function errorResponse(
  problem: string | FieldErrors,
  { status = 400, headers, form, asPlainText = false, banner }: ErrorOptions = {},
) {
  const errors: FieldErrors = typeof problem === 'string' ? { [wholeFormKey]: problem } : problem
  if (asPlainText && isSubmittedWithoutScript()) {
    const [message] = Object.values(errors)
    throw new Response(message, { status, headers })
  }

  const submittedValues = form ? readSubmittedValues(form) : undefined
  return data({ done: false as const, errors, submittedValues, banner }, { status, headers })
}

/** The part of a Zod error that is needed here. */
type SchemaError = { issues: { path: PropertyKey[]; message: string }[] }

/** Responds with the first message of a form's schema for each wrong field. */
export function fieldErrorsResponse({ issues }: SchemaError, form: FormData) {
  const errors: FieldErrors = {}
  for (const { path, message } of issues) {
    // An issue without a path is about the whole form.
    const field = path.join('.') || wholeFormKey
    errors[field] ??= message
  }

  return errorResponse(errors, { form })
}

/**
 * Returns whether the browser sent the form of the current request without a script, so that the
 * response replaces the page.
 */
export function isSubmittedWithoutScript(): boolean {
  return !isDataRequest()
}

/** Returns the submitted texts that a page may show again. Passwords and tokens are left out. */
export function readSubmittedValues(form: FormData): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of form) {
    const isSecret = /password|token|secret/i.test(name)
    if (typeof value === 'string' && !isSecret) {
      values[name] = value
    }
  }

  return values
}
