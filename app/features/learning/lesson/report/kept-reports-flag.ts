/** Set while reports wait in this browser, so that no other page loads anything for them. */
const flagKey = 'reports-kept'

export function flagKeptReports(kept: boolean): void {
  try {
    if (kept) localStorage.setItem(flagKey, '1')
    else localStorage.removeItem(flagKey)
  } catch {
    // Storage is switched off: the lesson's own page sends what waits.
  }
}

export function keptReportsFlagged(): boolean {
  try {
    return localStorage.getItem(flagKey) !== null
  } catch {
    return false
  }
}
