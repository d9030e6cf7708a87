import { useState } from 'react'
import { useLocation } from 'react-router'

/** The message for each wrong field; `form` is for errors that belong to no field. */
export type FieldErrors = Partial<Record<string, string>>

/** An action's result when nothing was changed. */
type Refusal = {
  done: false
  errors: FieldErrors
  /** What a page without scripts fills in again; never a password. */
  typed?: Record<string, string>
  /** The sentence that the banner shows, too. */
  banner?: string
  /** The server is too busy: the same form may be sent again in a moment. */
  again?: boolean
}

/**
 * What every action returns, for scripts and plain forms alike (`done` and `refuse` of `action-result.server.ts`).
 *
 * @typeParam Result what a page needs to know about a change.
 */
export type ActionResult<Result extends object = object> = ({ done: true } & Result) | Refusal

/** @param problem a sentence about the whole form, or one for each wrong field. */
export function refused(problem: string | FieldErrors): Refusal {
  return { done: false, errors: typeof problem === 'string' ? { form: problem } : problem }
}

/** None before the first answer, and none once the change is made. */
export function errorsIn(result: ActionResult | undefined): FieldErrors {
  return result?.done === false ? result.errors : {}
}

/**
 * What an action did, until its reader goes on. The router forgets it with the next revalidation, as when reports that waited
 * in the browser have arrived.
 *
 * @param result the route's `actionData`.
 */
export function useLastingResult<Result extends ActionResult>(result: Result | undefined): Result | undefined {
  // A new one with every submission and every move, and the same after a revalidation.
  const { key } = useLocation()
  const [last, setLast] = useState({ key, result })
  if (key !== last.key || (result && result !== last.result)) setLast({ key, result })
  if (result) return result
  return last.key === key && last.result?.done ? last.result : undefined
}
