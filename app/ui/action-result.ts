/** The message for each wrong field; `form` is for errors that belong to no field. */
export type FieldErrors = Partial<Record<string, string>>

/**
 * What every action returns, for scripts and plain forms alike.
 *
 * @typeParam Done what a page needs to know about a change.
 */
export type ActionResult<Done extends object = object> =
  | ({ done: true } & Done)
  | {
      done: false
      errors: FieldErrors
      /** What a page without scripts fills in again; never a password. */
      typed?: Record<string, string>
    }

/** A refusal that belongs to no single field. */
export function refusedForm(sentence: string): { done: false; errors: FieldErrors } {
  return { done: false, errors: { form: sentence } }
}

/** None before the first answer, and none once the change is made. */
export function errorsIn(result: ActionResult | undefined): FieldErrors {
  return result?.done === false ? result.errors : {}
}

/** A route's `shouldRevalidate`: what was refused has changed nothing, and without a connection nothing can be read. */
export function revalidateUnlessRefused(change: { actionResult?: ActionResult; defaultShouldRevalidate: boolean }) {
  return change.actionResult?.done !== false && change.defaultShouldRevalidate
}
