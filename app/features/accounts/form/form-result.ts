import type { ActionResult } from '~/ui/action-result'
import { isBusy, isPause, isUnreachable, refusalSentence } from '~/ui/connection'
import { accountErrorMessage } from '../account-errors'

/** What a form of the accounts is answered; a refusal that the banner repeats stands in `banner`, too. */
export type FormResult = ActionResult<{
  /** Good news. */
  notice?: string
  /** Where to go on: the browser's session is another now. */
  onward?: string
}> & {
  banner?: string
  /** Of a refusal: Learnify is too busy, and the same may be sent again in a moment. */
  again?: boolean
}

/** If the answer can't be read, the form says so and keeps what was typed. */
export async function resultOr(call: () => Promise<FormResult>, unexpected: string): Promise<FormResult> {
  try {
    return await call()
  } catch (error) {
    const again = isBusy(error)
    const refused = again ? accountErrorMessage('busy') : isPause(error) ? refusalSentence(error) : unexpected
    const banner = isUnreachable(error) ? accountErrorMessage('network-request-failed') : refused
    return { done: false, errors: { form: banner }, banner, again }
  }
}
