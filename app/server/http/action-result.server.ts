import { data, redirect } from 'react-router'
import { isDataRequest } from './client-address.server'

/** The two results are the `ActionResult` of `ui/action-result.ts`. */
type FieldErrors = Partial<Record<string, string>>

type DoneOptions = {
  headers?: HeadersInit
  /** The page that shows the change: a form sent without scripts is led there. */
  page?: string
}

/**
 * The result of an action whose change is made, now or by an earlier request.
 *
 * @param result data about the change, for the page.
 * @throws a redirect to `page` for a form that was sent without scripts.
 */
export function done<Result extends object = object>(
  result = {} as Result,
  { headers, page }: DoneOptions = {},
) {
  if (page !== undefined && isPlainForm()) {
    throw redirect(page, { status: 303, headers })
  }

  return data({ done: true as const, ...result }, { headers })
}

type RefusalOptions = {
  status?: number
  headers?: HeadersInit
  /** The submitted values, which a page without scripts fills in again; never a password. */
  form?: FormData
  /**
   * Of a route that has no page itself, as for `done`: a form sent without scripts gets the
   * sentence alone.
   */
  page?: string
  /** The sentence that the banner shows, too. */
  banner?: string
}

/**
 * The result of an action that changed nothing.
 *
 * @param problem a sentence about the whole form, or one for each wrong field.
 */
export function refuse(
  problem: string | FieldErrors,
  { status = 400, headers, form, page, banner }: RefusalOptions = {},
) {
  const errors = typeof problem === 'string' ? { form: problem } : problem
  if (page !== undefined && isPlainForm()) {
    throw new Response(Object.values(errors)[0], { status, headers })
  }

  return data(
    { done: false as const, errors, typed: form && typedIn(form), banner },
    { status, headers },
  )
}

/** What a form's schema says beside each field. */
export function refuseFields(
  error: { issues: { path: PropertyKey[]; message: string }[] },
  form: FormData,
) {
  return refuse(
    Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])),
    { form },
  )
}

/**
 * True for a browser that leaves its page to send a form; false for a script, which shows the
 * answer itself.
 */
export function isPlainForm(): boolean {
  return !isDataRequest()
}

/** The submitted values that a page may show again. */
export function typedIn(form: FormData): Record<string, string> {
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.filter(([name]) => !/password|token/i.test(name)))
}
