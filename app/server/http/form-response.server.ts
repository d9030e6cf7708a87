/**
 * Makes the response of a route action to a submitted form. The response contains a `FormResult`
 * (`ui/form/form-result.ts`), which says whether the change was made.
 *
 * - If a script of the page sent the form, the script gets the `FormResult`.
 * - If the browser sent the form without a script, React Router renders the route's page with the
 *   `FormResult`. A route without a page has to choose another response: a redirect after a success
 *   (`redirectTo`), and plain text after an error (`plainTextWithoutScript`).
 */
import { data, redirect } from 'react-router'
import { isDataRequest } from './request-source.server'

/** The message for each wrong field, by the name of the field. */
type FieldErrors = Partial<Record<string, string>>

/** The key in `FieldErrors` of a message that is about the whole form. */
const wholeFormKey = 'form'

type SuccessOptions = {
  headers?: HeadersInit
  /** The path that the browser is redirected to if it sent the form without a script. */
  redirectTo?: string
}

/**
 * Responds that the change was made.
 *
 * @param pageData what the page needs to know about the change, and a notice that it displays
 * @throws a redirect to `redirectTo` if the form was submitted without a script. It is thrown so
 *   that the return type describes only the `FormResult`.
 */
export function successResponse<PageData extends object = object>(
  pageData = {} as PageData & { notice?: string },
  { headers, redirectTo }: SuccessOptions = {},
) {
  if (redirectTo !== undefined && isSubmittedWithoutScript()) {
    throw redirect(redirectTo, { status: 303, headers })
  }

  return data({ ...pageData, done: true as const }, { headers })
}

type ErrorOptions = {
  status?: number
  headers?: HeadersInit
  /** The submitted form. A page without scripts fills in its values again. */
  form?: FormData
  /**
   * Whether the response is the message as plain text if the form was submitted without a script. A
   * route without a page sets this option.
   */
  plainTextWithoutScript?: boolean
  /** A message for the banner above the page, in addition to the errors. */
  banner?: string
}

/**
 * Responds that nothing was changed.
 *
 * @param problem a sentence about the whole form, or one for each wrong field
 * @throws the response in plain text, as described for `plainTextWithoutScript`
 */
export function errorResponse(
  problem: string | FieldErrors,
  { status = 400, headers, form, plainTextWithoutScript = false, banner }: ErrorOptions = {},
) {
  const errors: FieldErrors = typeof problem === 'string' ? { [wholeFormKey]: problem } : problem
  if (plainTextWithoutScript && isSubmittedWithoutScript()) {
    const [firstMessage] = Object.values(errors)
    throw new Response(firstMessage, { status, headers })
  }

  const submittedValues = form ? readSubmittedValues(form) : undefined
  return data({ done: false as const, errors, submittedValues, banner }, { status, headers })
}

/** The properties of a `ZodError` that `fieldErrorsResponse` reads. */
type SchemaError = { issues: { path: PropertyKey[]; message: string }[] }

/** Responds that the form doesn't match its schema, with the first message for each wrong field. */
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
 * Returns whether the browser sent the form without a script. The response then replaces the page.
 * The function reads the current request from an `AsyncLocalStorage` (`request-source.server.ts`).
 */
export function isSubmittedWithoutScript(): boolean {
  return !isDataRequest()
}

const secretFieldName = /password|token|secret/i

/** Returns the submitted texts that a page may show again. Secrets and files are left out. */
export function readSubmittedValues(form: FormData): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of form) {
    const isSecret = secretFieldName.test(name)
    if (typeof value === 'string' && !isSecret) {
      values[name] = value
    }
  }

  return values
}
