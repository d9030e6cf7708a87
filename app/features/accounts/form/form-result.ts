import { data } from 'react-router'
import { type ActionResult, refused } from '~/ui/action-result'
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
