import * as z from 'zod'
import { movedItem } from '~/features/exams/exam-ordering'
import { readFormAnswer } from '~/features/exams/form-answer.server'
import { type GivenAnswer, practiceTurn } from './practice-answer.server'

/** What a practice answer that waited in the browser says: the form as it was sent. */
export const keptPracticeAnswer = z.object({
  uid: z.string().min(1).max(200),
  fields: z.array(z.tuple([z.string().max(100), z.string().max(1000)])).max(100),
})

/** What the practice page's form says, also without a script; null for what is no such form. */
export function readPracticeForm(
  form: FormData,
): (Pick<GivenAnswer, 'turn' | 'value'> & { moved: readonly number[] | null }) | null {
  const { data: turn } = practiceTurn.safeParse(Object.fromEntries(form))
  if (!turn) return null
  const given = form.getAll('answer').map(String)
  const move = form.get('move')
  // Without a script, each step of an ordering comes here.
  if (typeof move === 'string') return { turn, value: null, moved: movedItem(given.map(Number), move) }
  if (form.get('intent') === 'give-up') return { turn, value: 'give-up', moved: null }
  return { turn, value: readFormAnswer(String(form.get('type')), given), moved: null }
}
