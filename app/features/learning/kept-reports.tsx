import { useEffect } from 'react'

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

function keptReportsFlagged(): boolean {
  try {
    return localStorage.getItem(flagKey) !== null
  } catch {
    return false
  }
}

/**
 * On every page: sends what a learner did offline in a tab that was closed since, as soon as this learner is signed in
 * and the network is there.
 */
export function KeptReports({ uid, onTaken }: { uid: string | null | undefined; onTaken(): void }) {
  useEffect(() => {
    if (!uid) return
    const send = async () => {
      if (!keptReportsFlagged()) return
      const [{ deliverKept }, { browserReportStore }] = await Promise.all([
        import('./report-delivery'),
        import('./report-store'),
      ])
      if (await deliverKept(browserReportStore(), uid).catch(() => false)) onTaken()
    }
    void send()
    window.addEventListener('online', send)
    return () => window.removeEventListener('online', send)
  }, [uid, onTaken])
  return null
}
