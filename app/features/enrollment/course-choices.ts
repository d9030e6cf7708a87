import { post } from '~/outbox/delivery'
import { type Kind, outbox, type Result } from '~/outbox/outbox'
import type { FormResult } from '~/ui/form/form-result'

/** Addresses where an account adds and removes courses. */
export const enrollmentsPath = '/Enrollments'
export const wishesPath = '/Wishes'

/** Where a visitor who pressed a heart signs in: the page says why. @param from where to go on. */
export function wishSignInUrl(from: string): string {
  return `/Login?${new URLSearchParams({ from, notice: 'wish' })}`
}

/** Courses to enroll in. A visitor's courses wait for the first account that signs in. */
export const enrollmentChoices: Kind<{ courseId: string }> = {
  name: 'enrollment',
  takesVisitors: true,
  send: ({ body }, { uid }) => sendForm(enrollmentsPath, { courseIds: body.courseId, uid }),
}

/**
 * After this, the visitor counts as gone and the pending wish expires: the next sign-in may be
 * another person's.
 */
const visitorsWishMs = 60 * 60_000

/** Wishes of visitors. A learner's press is sent at once, or undone. */
export const visitorWishes: Kind<{ courseId: string }> = {
  name: 'wish',
  takesVisitors: true,
  send({ putAt, body }, { uid }) {
    if (Date.now() - putAt > visitorsWishMs) {
      return Promise.resolve({ outcome: 'refused' })
    }

    return sendForm(wishesPath, { courseId: body.courseId, wished: 'yes', uid })
  },
}

async function sendForm(address: string, fields: Record<string, string>): Promise<Result> {
  const { outcome, answer } = await post(address, new URLSearchParams(fields))
  const result = answer as FormResult | null
  return { outcome, refusal: result?.done === false ? result.errors.form : undefined }
}

/** Sign-in waits for it, so that the next page finds the learner enrolled. */
export async function sendChoices(uid: string): Promise<void> {
  await Promise.all([outbox.send(enrollmentChoices, uid), outbox.send(visitorWishes, uid)])
}
