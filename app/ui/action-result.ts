/** For each wrong field the sentence beside it; `form` holds what no field is to blame for. */
export type FieldErrors = Partial<Record<string, string>>

/**
 * What every action answers, to a script and to a plain form alike.
 *
 * @typeParam Done what a page needs to know of a change that was made.
 */
export type ActionResult<Done extends object = object> =
  | ({ done: true } & Done)
  | {
      done: false
      errors: FieldErrors
      /** What a page without scripts shows again; never a password. */
      typed?: Record<string, string>
    }

/** A refusal that no single field is to blame for. */
export function refusedForm(sentence: string): { done: false; errors: FieldErrors } {
  return { done: false, errors: { form: sentence } }
}

/** None while nothing was answered, and once the change is made. */
export function errorsIn(result: ActionResult | undefined): FieldErrors {
  return result?.done === false ? result.errors : {}
}

/** A route's `shouldRevalidate`: what was refused has changed nothing, and without a connection nothing can be read. */
export function revalidateUnlessRefused(change: { actionResult?: ActionResult; defaultShouldRevalidate: boolean }) {
  return change.actionResult?.done !== false && change.defaultShouldRevalidate
}
