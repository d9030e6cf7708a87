import { useState } from 'react'
import { useLocation } from 'react-router'

/** The message for each wrong field. The entry `form` holds an error that belongs to no field. */
export type FieldErrors = Partial<Record<string, string>>

/** The result of a submitted form whose change was not made. */
type FailedResult = {
  done: false
  errors: FieldErrors
  /** The submitted values, without passwords. A page without scripts fills them in again. */
  submittedValues?: Record<string, string>
  /** A message for the banner above the page, in addition to the errors. */
  banner?: string
}

/**
 * The result of every route action that receives a form, with and without scripts. The server
 * makes it with `successResponse` and `errorResponse` of `form-response.server.ts`.
 *
 * A success can have a `notice`, which is a message for the page.
 *
 * @typeParam Success what the page learns about the change
 */
export type FormResult<Success extends object = object> =
  | ({ done: true; notice?: string } & Success)
  | FailedResult

/** @param problem a sentence about the whole form, or one for each wrong field */
export function failedResult(problem: string | FieldErrors): FailedResult {
  return { done: false, errors: typeof problem === 'string' ? { form: problem } : problem }
}

/** Returns no errors before the first response and after a successful change. */
export function getFieldErrors(result: FormResult | undefined): FieldErrors {
  return result?.done === false ? result.errors : {}
}

/**
 * Keeps a successful result on screen until the learner leaves the page or submits a form. React
 * Router drops its `actionData` earlier, at the next revalidation, which happens for example when
 * the outbox has been sent.
 *
 * @param result the route's `actionData`
 */
export function useResultUntilNavigation<Result extends FormResult>(
  result: Result | undefined,
): Result | undefined {
  // The location's key changes with every submission and navigation, but not with a revalidation.
  const { key } = useLocation()
  const [last, setLast] = useState({ key, result })
  const isNewResult = result !== undefined && result !== last.result
  if (key !== last.key || isNewResult) {
    setLast({ key, result })
  }

  if (result) {
    return result
  }

  return last.key === key && last.result?.done ? last.result : undefined
}
