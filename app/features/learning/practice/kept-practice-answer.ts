import * as z from 'zod'
import { browserReportStore, type KeptReport } from '../lesson/report/report-store'

/** What a practice answer that waits in the browser says: the form as it was sent. */
export const keptPracticeAnswer = z.object({
  uid: z.string().min(1).max(200),
  fields: z.array(z.tuple([z.string().max(100), z.string().max(1000)])).max(100),
})

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
