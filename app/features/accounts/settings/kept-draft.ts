/** One learner's unsaved settings; in a file of its own, because logging out needs no more than this. */
export const draftKey = 'settings-draft'

/** For use after an account was deleted or signed out, and when changes are given up. */
export function forgetSettingsDraft(): void {
  try {
    localStorage.removeItem(draftKey)
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}
