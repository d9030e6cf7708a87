/**
 * Turns the outcome of a route action into its response.
 *
 * Every route action responds with a `FormResult` (`ui/form/form-result.ts`), whether a page's script
 * or the browser itself sent the form. If the browser sent it, the response replaces the page. A route
 * without a page of its own then redirects after a success (`redirectTo`), and shows an error as plain
 * text (`hasNoPage`).
 */
import { data, redirect } from 'react-router'
import { isDataRequest } from './client-address.server'

/** The message of each wrong field. `form` is the message about the whole form. */
type FieldErrors = Partial<Record<string, string>>

type SuccessOptions = {
  headers?: HeadersInit
  /** The path that a form submitted without a script is redirected to. */
  redirectTo?: string
}

/**
 * Responds that the change is made. A request that is sent twice gets the same response twice.
 *
 * @param result data about the change for the page, and a notice for its reader
 * @throws a redirect to `redirectTo` for a form that was submitted without a script
 */
export function successResponse<Result extends object = object>(
  result = {} as Result & { notice?: string },
  { headers, redirectTo }: SuccessOptions = {},
) {
  if (redirectTo !== undefined && isSubmittedWithoutScript()) {
    throw redirect(redirectTo, { status: 303, headers })
  }

  return data({ done: true as const, ...result }, { headers })
}

type ErrorOptions = {
  status?: number
  headers?: HeadersInit
  /** The submitted form, whose values a page without scripts fills in again. */
  form?: FormData
  /**
   * Whether the route has no page of its own. A form submitted without a script then gets the error
   * message as plain text.
   */
  hasNoPage?: boolean
  /** A message for the banner above the page, in addition to the errors. */
  banner?: string
}

/**
 * Responds that nothing was changed.
 *
 * @param errorOrFieldErrors a sentence about the whole form, or one for each wrong field
 * @throws a response with the message alone, as described for `hasNoPage`
 */
export function errorResponse(
  errorOrFieldErrors: string | FieldErrors,
  { status = 400, headers, form, hasNoPage = false, banner }: ErrorOptions = {},
) {
  const errors: FieldErrors =
    typeof errorOrFieldErrors === 'string' ? { form: errorOrFieldErrors } : errorOrFieldErrors
  if (hasNoPage && isSubmittedWithoutScript()) {
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
    const field = path.join('.') || 'form'
    errors[field] ??= message
  }

  return errorResponse(errors, { form })
}

/**
 * Tells whether the browser itself sent the form of the current request, so that the response replaces
 * the page.
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
