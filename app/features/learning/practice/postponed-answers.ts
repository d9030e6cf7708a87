import { postEntry } from '~/outbox/delivery'
import type { EntryKind } from '~/outbox/entry-kind'
import { outbox } from '~/outbox/outbox'

/** The submitted form of the practice page. Browsers store it, so its fields must not change. */
type PostponedAnswer = { uid: string; fields: [string, string][] }

/**
 * The kind of the outbox entries with practice answers that were given without a connection. An
 * answer contains the number of its turn, so an answer that is sent twice counts once.
 */
export const practiceAnswers: EntryKind<PostponedAnswer> = {
  name: 'practice-answer',
  async send({ body }) {
    const { outcome } = await postEntry('/PracticeAnswers', body)
    return { outcome }
  },
}

/**
 * Puts an answer into the outbox, which sends it once there is a connection.
 *
 * @returns whether the browser has stored the answer, so that it outlives the page
 */
export function postponePracticeAnswer(form: FormData): Promise<boolean> {
  return outbox.put(practiceAnswers, createEntry(form)).whenStored
}

/** Removes a postponed answer to the same turn, because the server has an answer by now. */
export function withdrawPracticeAnswer(form: FormData): Promise<void> {
  const { key } = createEntry(form)
  return outbox.removeMatching((entry) => entry.key === key)
}

function createEntry(form: FormData) {
  const fields = [...form].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const readField = (name: string) => String(form.get(name))
  const uid = readField('uid')
  const turnKey = [readField('courseId'), readField('questionId'), readField('turn')]

  return { key: ['practice', uid, ...turnKey].join('/'), uid, body: { uid, fields } }
}
