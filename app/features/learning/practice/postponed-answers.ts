import { postEntry } from '~/outbox/delivery'
import { type EntryKind, outbox } from '~/outbox/outbox'

/** The submitted form of the practice page. */
type PostponedAnswer = { uid: string; fields: [string, string][] }

/**
 * Practice answers that were given without a connection and wait in the outbox of this browser. An
 * answer that is sent twice counts once, because it names its turn of the question.
 */
export const practiceAnswers: EntryKind<PostponedAnswer> = {
  name: 'practice-answer',
  async send({ body }) {
    const { outcome } = await postEntry('/PracticeAnswers', body)
    return { outcome }
  },
}

/** @returns whether the answer was stored, so that it outlives the page */
export function postponePracticeAnswer(form: FormData): Promise<boolean> {
  return outbox.put(practiceAnswers, createEntry(form)).isStored
}

/** Removes a waiting answer to the same turn, because the server has an answer by now. */
export function withdrawPracticeAnswer(form: FormData): Promise<void> {
  const { key } = createEntry(form)
  return outbox.removeMatching((entry) => entry.key === key)
}

function createEntry(form: FormData) {
  const fields = [...form].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const uid = String(form.get('uid'))
  const turn = ['courseId', 'questionId', 'turn'].map((name) => String(form.get(name)))

  return { key: ['practice', uid, ...turn].join('/'), uid, body: { uid, fields } }
}
