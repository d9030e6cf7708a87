import { postEntry } from '~/outbox/delivery'
import type { EntryKind, SendResult } from '~/outbox/entry-kind'
import { outbox } from '~/outbox/outbox'
import { findFormError } from '~/ui/form/form-result'
import { enrollmentMessages } from './enrollment-messages'

/**
 * Enrollments and wishes that wait in the outbox of this browser until an account signs in or the
 * network returns.
 */

/** The server's paths that add and remove courses of an account. */
export const enrollmentsPath = '/Enrollments'
export const wishesPath = '/Wishes'

/**
 * Returns the URL of the sign-in page for a visitor who pressed a heart. The page says why they
 * have to sign in.
 *
 * @param returnPath the page to return to after signing in
 */
export function wishSignInUrl(returnPath: string): string {
  return `/Login?${new URLSearchParams({ from: returnPath, notice: 'wish' })}`
}

/** Courses to enroll in. A visitor's courses wait for the first account that signs in. */
export const enrollmentChoices: EntryKind<{ courseId: string }> = {
  name: 'enrollment',
  sendsVisitorEntries: true,
  async send({ body }, { uid }) {
    const result = await sendForm(enrollmentsPath, { courseIds: body.courseId, uid })
    // The sentence tells the pages that the learner is not enrolled.
    return result.outcome === 'refused'
      ? { ...result, refusal: result.refusal ?? enrollmentMessages.notEnrolled }
      : result
  },
}

/** A visitor's wish expires after an hour, because the next person who signs in may be another. */
const visitorWishMs = 60 * 60_000

/** Wishes of visitors. A learner's wish is not stored: it is sent at once or undone. */
export const visitorWishes: EntryKind<{ courseId: string }> = {
  name: 'wish',
  sendsVisitorEntries: true,
  send({ putAt, body }, { uid }) {
    const isExpired = Date.now() - putAt > visitorWishMs
    if (isExpired) {
      return Promise.resolve({ outcome: 'refused' })
    }

    return sendForm(wishesPath, { courseId: body.courseId, wished: 'yes', uid })
  },
}

async function sendForm(path: string, fields: Record<string, string>): Promise<SendResult> {
  const { outcome, responseBody } = await postEntry(path, new URLSearchParams(fields))
  return { outcome, refusal: findFormError(responseBody) }
}

/** Sends all waiting choices. Sign-in waits for this, so that the next page is up to date. */
export async function sendChoices(uid: string): Promise<void> {
  await Promise.all([outbox.send(enrollmentChoices, uid), outbox.send(visitorWishes, uid)])
}
