import { useState } from 'react'
import { useLocation } from 'react-router'

/** The message for each wrong field; `form` is for errors that belong to no field. */
export type FieldErrors = Partial<Record<string, string>>

/** An action's result when nothing was changed. */
type Refusal = {
  done: false
  errors: FieldErrors
  /** The submitted values, which a page without scripts fills in again; never a password. */
  typed?: Record<string, string>
  /** The sentence that the banner shows, too. */
  banner?: string
}

/**
 * The result of every action, for scripts and plain forms alike (`done` and `refuse` of
 * `action-result.server.ts`).
 *
 * @typeParam Result data about the change, for the page.
 */
export type ActionResult<Result extends object = object> = ({ done: true } & Result) | Refusal

/** @param problem a sentence about the whole form, or one for each wrong field. */
export function refused(problem: string | FieldErrors): Refusal {
  return { done: false, errors: typeof problem === 'string' ? { form: problem } : problem }
}

/** Empty before the first response and after a successful change. */
export function errorsIn(result: ActionResult | undefined): FieldErrors {
  return result?.done === false ? result.errors : {}
}

/**
 * Remembers an action's result until the learner moves on. The router drops it at the next
 * revalidation, for example when the outbox has been sent.
 *
 * @param result the route's `actionData`.
 */
export function useLastingResult<Result extends ActionResult>(
  result: Result | undefined,
): Result | undefined {
  // The key changes with every submission and navigation, but not with a revalidation.
  const { key } = useLocation()
  const [last, setLast] = useState({ key, result })
  if (key !== last.key || (result && result !== last.result)) {
    setLast({ key, result })
  }

  if (result) {
    return result
  }

  return last.key === key && last.result?.done ? last.result : undefined
}
