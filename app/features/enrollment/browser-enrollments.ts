import { learnerLimits } from './learner-limits'

/**
 * Enrollments as this browser knows them, so that a button is right at once, offline and without an
 * account. The outbox sends the pending ones.
 */
export type BrowserEnrollments = {
  /** The account that `stored` was read from; null for a visitor. */
  uid: string | null
  /** Course ids that the account has. */
  stored: string[]
  /** Course ids that no account has yet: a visitor's, or a learner's that are being sent. */
  waiting: string[]
  /** Why the account refused the latest. */
  refusal?: string
  /** The course that was left on this page, which can be undone. */
  left?: string
}

/**
 * Scripts that run before the page is painted read it, too: `enrollment-mark.tsx` and
 * `course-price.tsx`.
 */
const enrollmentsKey = 'enrollments'
const noEnrollments: BrowserEnrollments = { uid: null, stored: [], waiting: [] }
const courseIdShape = /^[a-z0-9-]{1,100}$/
const maxWaiting = 200

/** Parses text from browser storage; anything unreadable counts as empty. */
export function parseEnrollments(text: string | null): BrowserEnrollments {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) {
      return noEnrollments
    }

    const { uid, stored, waiting } = value as Record<string, unknown>

    return {
      uid: typeof uid === 'string' ? uid : null,
      stored: courseIds(stored, learnerLimits.enrollments),
      waiting: courseIds(waiting, maxWaiting),
    }
  } catch {
    return noEnrollments
  }
}

function courseIds(value: unknown, most: number): string[] {
  if (!Array.isArray(value)) {
    return []
  }

  const ids = value.filter(isCourseId)
  return [...new Set(ids)].slice(0, most)
}

export function isCourseId(value: unknown): value is string {
  return typeof value === 'string' && courseIdShape.test(value)
}

export function isEnrolled({ stored, waiting }: BrowserEnrollments, courseId: string): boolean {
  return waiting.includes(courseId) || stored.includes(courseId)
}

type Known = {
  courseId: string
  uid: string | null | undefined
  enrollments: BrowserEnrollments | null
}

/**
 * Whether a signed-in learner has the course: as far as this browser remembers, until the session
 * is known.
 */
export function isLearnersCourse({ courseId, uid, enrollments }: Known): boolean {
  return (
    uid !== null &&
    enrollments !== null &&
    enrollments.uid !== null &&
    enrollments.stored.includes(courseId)
  )
}

/**
 * A visitor's courses wait for the first account. A learner's pending courses wait for that
 * learner, even after signing out; other data of an account is removed at sign-out.
 *
 * @param enrolled the account's courses.
 */
export function applySession(
  known: BrowserEnrollments,
  uid: string | null,
  enrolled: readonly string[],
): BrowserEnrollments {
  const stored = [...enrolled]
  if (uid === null) {
    return known.waiting.length > 0 ? { ...known, stored: [] } : noEnrollments
  }

  if (known.uid !== null && known.uid !== uid) {
    return { uid, stored, waiting: [] }
  }

  return { ...known, uid, stored, waiting: known.waiting.filter((id) => !stored.includes(id)) }
}

/** The account answered about a course that waited. @param refusal says why it does not have it. */
export function applyServerResponse(
  known: BrowserEnrollments,
  courseId: string,
  refusal?: string,
): BrowserEnrollments {
  const waiting = known.waiting.filter((id) => id !== courseId)
  if (refusal !== undefined) {
    return { ...known, waiting, refusal }
  }

  return { ...known, waiting, stored: [...new Set([...known.stored, courseId])] }
}

export function addWaitingCourse(known: BrowserEnrollments, courseId: string): BrowserEnrollments {
  if (isEnrolled(known, courseId)) {
    return known
  }

  return {
    ...known,
    waiting: [...known.waiting, courseId].slice(-maxWaiting),
    refusal: undefined,
    left: undefined,
  }
}

/** The account no longer has the course. */
export function removeLeftCourse(known: BrowserEnrollments, courseId: string): BrowserEnrollments {
  const others = (ids: string[]) => ids.filter((id) => id !== courseId)
  return { ...known, stored: others(known.stored), waiting: others(known.waiting), left: courseId }
}

/**
 * Changes from another tab apply here, too, but only this tab has the reason why its own choice was
 * refused.
 */
export function applyOtherTab(
  known: BrowserEnrollments | null,
  stored: BrowserEnrollments,
): BrowserEnrollments {
  return { ...stored, refusal: known?.refusal, left: known?.left }
}

export function readEnrollments(): BrowserEnrollments {
  try {
    return parseEnrollments(localStorage.getItem(enrollmentsKey))
  } catch {
    return noEnrollments
  }
}

export function storeEnrollments({ uid, stored, waiting }: BrowserEnrollments): void {
  try {
    localStorage.setItem(enrollmentsKey, JSON.stringify({ uid, stored, waiting }))
  } catch {
    // Storage is full or switched off: the enrollment holds until the page is left.
  }
}

/** After an account was deleted. */
export function forgetEnrollments(): void {
  storeEnrollments(noEnrollments)
}

/** Listens for changes from other tabs. @returns a function that ends it. */
export function watchEnrollments(onChange: (enrollments: BrowserEnrollments) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === enrollmentsKey || key === null) {
      onChange(readEnrollments())
    }
  }

  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
