import type { ActionResult } from '~/ui/action-result'
import { notReached } from '~/ui/connection'
import { fetchAnswer } from '~/ui/fetch-answer'
import { afterLeaving, type ChangeEnrollments, enrollmentsAddress } from './browser-enrollments'

/** @returns the sentence that says why the course stays; null once it is left. */
export async function leaveCourse(courseId: string, onChange: ChangeEnrollments): Promise<string | null> {
  const form = new URLSearchParams({ courseIds: courseId, leave: 'yes' })
  const answer = await fetchAnswer<ActionResult>(enrollmentsAddress, form)
  if (!answer?.done) return answer?.errors.form ?? notReached
  onChange((before) => afterLeaving(before, courseId))
  return null
}
