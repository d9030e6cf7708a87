import { isCourseId } from './browser-enrollments'

const keptWishKey = 'wish'

/** What a visitor's heart was pressed for waits, in this tab only, for the account that signs in. */
export function keepWish(courseId: string): void {
  try {
    sessionStorage.setItem(keptWishKey, courseId)
  } catch {
    // Storage is switched off: the heart can be pressed again.
  }
}

export function readKeptWish(): string | null {
  try {
    const courseId = sessionStorage.getItem(keptWishKey)
    return isCourseId(courseId) ? courseId : null
  } catch {
    return null
  }
}

export function forgetWish(): void {
  try {
    sessionStorage.removeItem(keptWishKey)
  } catch {
    // Nothing was kept either.
  }
}
