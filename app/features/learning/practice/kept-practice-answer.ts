import { browserReportStore, type KeptReport } from '../lesson/report/report-store'

// What sends it is loaded before it is needed: without a connection it can't be.
if (!import.meta.env.SSR) void import('../lesson/report/report-delivery').catch(() => {})

const address = '/PracticeAnswers'

/** One a turn of a card: sending it twice counts once. */
function keptOf(form: FormData): KeptReport {
  const fields = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const [uid = '', ...turn] = ['uid', 'courseId', 'questionId', 'turn'].map((name) => String(form.get(name)))
  return { key: ['practice', uid, ...turn].join('/'), uid, address, report: { uid, fields } }
}

/** @returns whether it waits in this browser now, until Learnify can be reached; like reports of lessons. */
export async function keepPracticeAnswer(form: FormData): Promise<boolean> {
  return browserReportStore()
    .put(keptOf(form))
    .then(
      () => true,
      () => false,
    )
}

/** The server has an answer to this turn, perhaps another one than the one that waits. */
export async function settlePracticeAnswer(form: FormData): Promise<void> {
  const { key, uid } = keptOf(form)
  const store = browserReportStore()
  const kept = (await store.listOf(uid)).find((report) => report.key === key)
  if (kept) await store.settle(kept)
}
