import { enrollmentMessages } from './enrollment-messages'
import { learnerLimits } from './learner-limits'

/**
 * The enrollments that this browser knows.
 *
 * They make the "Enroll" button correct at once: offline, without an account, and before the
 * session is known. The outbox sends the waiting enrollments to the account.
 */
export type BrowserEnrollments = {
  /** The account that `accountCourseIds` was read from, or null for a visitor. */
  uid: string | null
  accountCourseIds: string[]
  /** The IDs of courses that wait to be added to an account. */
  waitingCourseIds: string[]
  /** The latest course that the account rejected, with the sentence that says why. */
  refusal?: { courseId: string; message: string }
  /** The course that was left on this page. The learner can undo that. */
  leftCourseId?: string
}

/**
 * Two scripts that run before the first paint read this key, too: those in
 * `course-page-enrollment.tsx` and `course-price.tsx`.
 */
const enrollmentsKey = 'enrollments'
const noEnrollments: BrowserEnrollments = { uid: null, accountCourseIds: [], waitingCourseIds: [] }
const courseIdPattern = /^[a-z0-9-]{1,100}$/
const maxWaitingCourses = 200

/** Reads the stored enrollments. Without storage, there are none. */
export function readEnrollments(): BrowserEnrollments {
  try {
    return parseEnrollments(localStorage.getItem(enrollmentsKey))
  } catch {
    return noEnrollments
  }
}

/**
 * Parses enrollments from the browser's storage, as `storeEnrollments` has written them. Anything
 * invalid is ignored.
 */
export function parseEnrollments(text: string | null): BrowserEnrollments {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) {
      return noEnrollments
    }

    const { uid, stored, waiting } = value as Record<string, unknown>

    return {
      uid: typeof uid === 'string' ? uid : null,
      accountCourseIds: parseCourseIds(stored, learnerLimits.enrollments),
      waitingCourseIds: parseCourseIds(waiting, maxWaitingCourses),
    }
  } catch {
    return noEnrollments
  }
}

function parseCourseIds(value: unknown, maxCount: number): string[] {
  if (!Array.isArray(value)) {
    return []
  }

  const ids = value.filter(isCourseId)
  return [...new Set(ids)].slice(0, maxCount)
}

export function isCourseId(value: unknown): value is string {
  return typeof value === 'string' && courseIdPattern.test(value)
}

/** Stores the enrollments for the next page. The messages are not stored. */
export function storeEnrollments({
  uid,
  accountCourseIds,
  waitingCourseIds,
}: BrowserEnrollments): void {
  const storedEnrollments = { uid, stored: accountCourseIds, waiting: waitingCourseIds }
  try {
    localStorage.setItem(enrollmentsKey, JSON.stringify(storedEnrollments))
  } catch {
    // The storage is full or switched off. The enrollments last until the page is closed.
  }
}

/** Forgets all enrollments after an account was deleted. */
export function forgetEnrollments(): void {
  storeEnrollments(noEnrollments)
}

/**
 * Listens for changes from other tabs.
 *
 * @returns a function that stops listening
 */
export function watchEnrollments(onChange: (enrollments: BrowserEnrollments) => void): () => void {
  const handleStorage = ({ key }: StorageEvent) => {
    const isCleared = key === null
    if (key === enrollmentsKey || isCleared) {
      onChange(readEnrollments())
    }
  }

  window.addEventListener('storage', handleStorage)
  return () => window.removeEventListener('storage', handleStorage)
}

export function isEnrolled(
  { accountCourseIds, waitingCourseIds }: BrowserEnrollments,
  courseId: string,
): boolean {
  return waitingCourseIds.includes(courseId) || accountCourseIds.includes(courseId)
}

/**
 * Returns whether the course belongs to the account of a signed-in learner. Until the session is
 * known, the browser's storage decides.
 *
 * @param enrollments null until the page is hydrated
 * @param uid undefined until the session is known, null for a visitor
 */
export function isEnrolledInAccount(
  enrollments: BrowserEnrollments | null,
  uid: string | null | undefined,
  courseId: string,
): boolean {
  if (uid === null || enrollments === null || enrollments.uid === null) {
    return false
  }

  return enrollments.accountCourseIds.includes(courseId)
}

/**
 * Returns the enrollments after the session became known.
 *
 * A visitor's courses wait for the first account that signs in. A learner's waiting courses wait
 * for the same learner, even after signing out. All other data of an account is removed at
 * sign-out.
 *
 * @param currentCourseIds the IDs of the account's courses, as the server has them now
 */
export function applySession(
  enrollments: BrowserEnrollments,
  uid: string | null,
  currentCourseIds: readonly string[],
): BrowserEnrollments {
  if (uid === null) {
    return enrollments.waitingCourseIds.length > 0
      ? { ...enrollments, accountCourseIds: [] }
      : noEnrollments
  }

  const accountCourseIds = [...currentCourseIds]
  const isOtherLearner = enrollments.uid !== null && enrollments.uid !== uid
  if (isOtherLearner) {
    return { uid, accountCourseIds, waitingCourseIds: [] }
  }

  const waitingCourseIds = enrollments.waitingCourseIds.filter(
    (id) => !accountCourseIds.includes(id),
  )
  return { ...enrollments, uid, accountCourseIds, waitingCourseIds }
}

/**
 * Returns the enrollments after the server responded about a waiting course.
 *
 * @param refusal why the account doesn't have the course; undefined if it does
 */
export function applyServerResponse(
  enrollments: BrowserEnrollments,
  courseId: string,
  refusal?: string,
): BrowserEnrollments {
  const waitingCourseIds = enrollments.waitingCourseIds.filter((id) => id !== courseId)
  if (refusal !== undefined) {
    return { ...enrollments, waitingCourseIds, refusal: { courseId, message: refusal } }
  }

  const accountCourseIds = [...new Set([...enrollments.accountCourseIds, courseId])]
  return { ...enrollments, waitingCourseIds, accountCourseIds }
}

/**
 * Returns the sentence that the page of a course shows after the account rejected an enrollment:
 * that of the course itself. A course that is gone has no page, so any course's page explains that.
 */
export function findRefusal({ refusal }: BrowserEnrollments, courseId: string): string | undefined {
  const isOfThisCourse = refusal?.courseId === courseId
  const isCourseGone = refusal?.message === enrollmentMessages.courseGone
  return isOfThisCourse || isCourseGone ? refusal?.message : undefined
}

export function addWaitingCourse(
  enrollments: BrowserEnrollments,
  courseId: string,
): BrowserEnrollments {
  if (isEnrolled(enrollments, courseId)) {
    return enrollments
  }

  return {
    ...enrollments,
    waitingCourseIds: [...enrollments.waitingCourseIds, courseId].slice(-maxWaitingCourses),
    refusal: undefined,
    leftCourseId: undefined,
  }
}

/** Returns the enrollments after the learner left a course. */
export function removeLeftCourse(
  enrollments: BrowserEnrollments,
  courseId: string,
): BrowserEnrollments {
  const isOther = (id: string) => id !== courseId

  return {
    ...enrollments,
    accountCourseIds: enrollments.accountCourseIds.filter(isOther),
    waitingCourseIds: enrollments.waitingCourseIds.filter(isOther),
    leftCourseId: courseId,
  }
}

/**
 * Returns the enrollments that another tab has stored, with the messages of this tab. Messages are
 * not stored, because they belong to what the learner did in this tab.
 */
export function applyOtherTab(
  enrollments: BrowserEnrollments | null,
  storedByOtherTab: BrowserEnrollments,
): BrowserEnrollments {
  return {
    ...storedByOtherTab,
    refusal: enrollments?.refusal,
    leftCourseId: enrollments?.leftCourseId,
  }
}
