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
      if (await deliverKept(browserReportStore(), uid)) onTaken()
    }
    // What fails waits for the next page or connection, also when it is the loading of this code.
    const trySend = () => void send().catch(() => {})
    trySend()
    window.addEventListener('online', trySend)
    return () => window.removeEventListener('online', trySend)
  }, [uid, onTaken])
  return null
}
