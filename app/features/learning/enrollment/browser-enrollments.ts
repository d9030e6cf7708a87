import { useSyncExternalStore } from 'react'

/** What this browser knows about enrollments, so that a button is right at once, offline and without an account. */
export type BrowserEnrollments = {
  /** Whose account `stored` was read from; null for a visitor. */
  uid: string | null
  /** Course ids that the account has. */
  stored: string[]
  /** Course ids that no account has yet: a visitor's, or a learner's on their way. */
  waiting: string[]
}

/** `enroll-button.tsx` also reads it, in the script that runs before the page is painted. */
const enrollmentsKey = 'enrollments'
const nothing: BrowserEnrollments = { uid: null, stored: [], waiting: [] }
const courseIdShape = /^[a-z0-9-]{1,100}$/
const maxWaiting = 200

/** Takes text from storage, which anybody may have changed: what cannot be read counts as nothing. */
export function parseEnrollments(text: string | null): BrowserEnrollments {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) return nothing
    const { uid, stored, waiting } = value as Record<string, unknown>
    return { uid: typeof uid === 'string' ? uid : null, stored: courseIds(stored), waiting: courseIds(waiting) }
  } catch {
    return nothing
  }
}

function courseIds(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const ids = value.filter(isCourseId)
  return [...new Set(ids)].slice(0, maxWaiting)
}

export function isCourseId(value: unknown): value is string {
  return typeof value === 'string' && courseIdShape.test(value)
}

export function isEnrolled({ stored, waiting }: BrowserEnrollments, courseId: string): boolean {
  return waiting.includes(courseId) || stored.includes(courseId)
}

/**
 * A visitor's courses wait for the first account. A learner's that are not stored yet wait for that learner, also while
 * nobody is signed in; everything else of an account is forgotten when it signs out.
 */
export function afterSession(known: BrowserEnrollments, uid: string | null): BrowserEnrollments {
  if (known.uid === uid) return known
  if (known.uid === null) return { ...known, uid }
  return uid === null && known.waiting.length > 0 ? { ...known, stored: [] } : { ...nothing, uid }
}

/** @param sent what waited when the account was asked; courses chosen meanwhile keep waiting. */
export function afterAnswer(known: BrowserEnrollments, stored: string[], sent: string[]): BrowserEnrollments {
  return { ...known, stored, waiting: known.waiting.filter((id) => !sent.includes(id)) }
}

export function afterChoice(known: BrowserEnrollments, courseId: string): BrowserEnrollments {
  return isEnrolled(known, courseId) ? known : { ...known, waiting: [...known.waiting, courseId].slice(-maxWaiting) }
}

/** Nothing is known any more, of anybody. */
export function forgetBrowserEnrollments(): void {
  changeBrowserEnrollments(() => nothing)
}

let memory: BrowserEnrollments | null = null
const listeners = new Set<() => void>()

/** Only in the browser. The same object as long as nothing has changed. */
export function readBrowserEnrollments(): BrowserEnrollments {
  memory ??= parseEnrollments(storedText())
  return memory
}

function storedText(): string | null {
  try {
    return localStorage.getItem(enrollmentsKey)
  } catch {
    return null
  }
}

export function changeBrowserEnrollments(change: (known: BrowserEnrollments) => BrowserEnrollments): void {
  const before = readBrowserEnrollments()
  const after = change(before)
  if (after === before) return
  memory = after
  try {
    localStorage.setItem(enrollmentsKey, JSON.stringify(after))
  } catch {
    // Storage is full or switched off: the enrollment holds until the page is left.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== enrollmentsKey && event.key !== null) return
    memory = null
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

/** Null in the server's HTML and until the page is hydrated. */
export function useBrowserEnrollments(): BrowserEnrollments | null {
  return useSyncExternalStore(subscribe, readBrowserEnrollments, () => null)
}
