import { data } from 'react-router'
import type { infer as infer_, ZodMiniType } from 'zod/mini'
import { type ActionResult, type FieldErrors, refused } from '~/ui/action-result'
import { isBusy, isPause, isUnreachable, refusalSentence } from '~/ui/connection'
import { accountErrorMessage } from '../account-errors'

export type FormDone = {
  /** Good news. */
  notice?: string
  /** Where to go on: the browser's session has changed. */
  onward?: string
}

export type FormResult = ActionResult<FormDone>

/**
 * For the `catch` of an account form's `clientAction`: without an answer the form says so and keeps what was typed.
 *
 * @param unexpected the sentence for a failure that says nothing by itself.
 */
export function refuseUnansweredForm(error: unknown, unexpected: string) {
  const again = isBusy(error)
  const refusal = again ? accountErrorMessage('busy') : isPause(error) ? refusalSentence(error) : unexpected
  const banner = isUnreachable(error) ? accountErrorMessage('network-request-failed') : refusal
  return data({ ...refused(banner), banner, again }, { status: 503 })
}

export type FormCheck<Schema extends ZodMiniType> =
  | { data: infer_<Schema>; errors?: undefined }
  | { data?: undefined; errors: FieldErrors }

/** What a form holds, or the first message for each wrong field. The schema may load later: it is not imported here. */
export function checkForm<Schema extends ZodMiniType>(schema: Schema, form: FormData): FormCheck<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(form))
  if (parsed.success) return { data: parsed.data }
  const errors: FieldErrors = {}
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0])
    errors[field] ??= message
  }
  return { errors }
}
