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
 * Each message has its place: an error stands beside its field, or beside the button if it belongs
 * to no field (`errors.form`); a `banner` stands above the page; the `notice` of a success, where
 * the page shows its outcome.
 *
 * @typeParam Success more values of a success, such as the ID of a new row
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
 * Returns the error of the whole form from the JSON of a response. A proxy may have sent any other
 * JSON, which has none.
 */
export function findFormError(responseBody: unknown): string | undefined {
  const result = responseBody as Partial<FormResult> | null | undefined
  const errors = result?.done === false ? result.errors : undefined
  return errors?.form
}
