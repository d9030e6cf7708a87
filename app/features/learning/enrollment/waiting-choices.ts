import type { ActionResult } from '~/ui/action-result'
import { fetchAnswer } from '~/ui/fetch-answer'
import { afterAnswer, type ChangeEnrollments, enrollmentsAddress } from './browser-enrollments'
import { forgetWish, readKeptWish } from './kept-wish'
import { wishesAddress } from './wish-button'

/**
 * Sends a learner's wish and courses that only this browser knows, until none is left or no answer comes.
 *
 * @returns whether the account has answered.
 */
export async function sendChoices(waiting: () => readonly string[], onChange: ChangeEnrollments): Promise<boolean> {
  let answered = await sendKeptWish()
  for (let sent = waiting(); sent.length > 0; sent = waiting()) {
    const form = new URLSearchParams(sent.map((id) => ['courseIds', id]))
    const result = await fetchAnswer<ActionResult>(enrollmentsAddress, form)
    if (!result) break
    answered = true
    onChange((before) => afterAnswer(before, sent, result))
  }
  return answered
}

async function sendKeptWish(): Promise<boolean> {
  const courseId = readKeptWish()
  if (!courseId) return false
  const answer = await fetchAnswer<ActionResult>(wishesAddress, new URLSearchParams({ courseId, wished: 'yes' }))
  if (answer) forgetWish()
  return answer !== undefined
}
