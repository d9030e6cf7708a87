import { post } from '~/outbox/delivery'
import type { Entry } from '~/outbox/entry-store'
import { type Kind, outbox } from '~/outbox/outbox'

/** The form of a practice page; `/PracticeAnswers` takes it later, too. */
type AnswerBody = { uid: string; fields: [string, string][] }

/**
 * Answers that were given without a connection. Sending one twice counts once: each names its turn
 * of the card.
 */
export const practiceAnswers: Kind<AnswerBody> = {
  name: 'practice-answer',
  async send({ body }) {
    const { outcome } = await post('/PracticeAnswers', body)
    return { outcome }
  },
}

function entryOf(form: FormData): Pick<Entry<AnswerBody>, 'key' | 'uid' | 'body'> {
  const fields = [...form].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const [uid = '', ...turn] = ['uid', 'courseId', 'questionId', 'turn'].map((name) =>
    String(form.get(name)),
  )
  return { key: ['practice', uid, ...turn].join('/'), uid, body: { uid, fields } }
}

/** @returns whether the answer outlives this page. */
export function postponePracticeAnswer(form: FormData): Promise<boolean> {
  return outbox.put(practiceAnswers, entryOf(form)).stored
}

/** The server has an answer to this turn, maybe a different one than the pending answer. */
export function withdrawPracticeAnswer(form: FormData): Promise<void> {
  const { key } = entryOf(form)
  return outbox.removeAll((entry) => entry.key === key)
}
