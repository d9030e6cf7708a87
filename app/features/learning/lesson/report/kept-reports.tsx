import { useEffect } from 'react'
import { keptReportsFlagged } from './kept-reports-flag'

/** After an account was deleted: nothing of its learner stays in this browser either. */
export async function forgetKeptReports(uid: string): Promise<void> {
  const { browserReportStore } = await import('./report-store')
  await browserReportStore()
    .forget(uid)
    .catch(() => {})
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
