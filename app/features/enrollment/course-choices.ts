import { post } from '~/outbox/delivery'
import { type Kind, outbox, type Result } from '~/outbox/outbox'
import type { ActionResult } from '~/ui/action-result'

/** Where an account takes and loses courses. */
export const enrollmentsAddress = '/Enrollments'
export const wishesAddress = '/Wishes'

/** Courses to enroll in: a visitor's wait for the first account that signs in. */
export const enrollmentChoices: Kind<{ courseId: string }> = {
  name: 'enrollment',
  takesVisitors: true,
  send: ({ body }, { uid }) => sendForm(enrollmentsAddress, { courseIds: body.courseId, uid }),
}

/** After this, a visitor who pressed a heart instead of signing in counts as gone: somebody else may sign in. */
const visitorsWishMs = 60 * 60_000

/** What visitors pressed a heart for; a learner's press is sent at once, or taken back. */
export const visitorsWishes: Kind<{ courseId: string }> = {
  name: 'wish',
  takesVisitors: true,
  send({ putAt, body }, { uid }) {
    if (Date.now() - putAt > visitorsWishMs) return Promise.resolve({ outcome: 'refused' })
    return sendForm(wishesAddress, { courseId: body.courseId, wished: 'yes', uid })
  },
}

async function sendForm(address: string, fields: Record<string, string>): Promise<Result> {
  const { outcome, answer } = await post(address, new URLSearchParams(fields))
  const result = answer as ActionResult | null
  return { outcome, refusal: result?.done === false ? result.errors.form : undefined }
}

/** Sign-in waits for it, so that the next page finds the learner enrolled. */
export async function sendChoices(uid: string): Promise<void> {
  await Promise.all([outbox.send(enrollmentChoices, uid), outbox.send(visitorsWishes, uid)])
}
