import { useCallback, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { post } from '~/outbox/delivery'
import type { Entry } from '~/outbox/entry-store'
import { type Kind, outbox } from '~/outbox/outbox'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'

/** The form of a new note, with its lesson. */
type NoteBody = { courseId: string; lessonId: string; id: string; positionMs: string; body: string }

export type WaitingNote = { entry: Entry<NoteBody>; refusal?: string }

/**
 * Notes that were added without a connection. One that the server refuses waits for the learner to
 * change it.
 */
export const waitingNotes: Kind<NoteBody> = {
  name: 'note',
  async send({ uid, body: { courseId, lessonId, ...fields } }) {
    const form = new URLSearchParams({ intent: 'note', uid: uid ?? '', ...fields })
    const { outcome, answer } = await post(`/Learn/${courseId}/${lessonId}/notes`, form)
    if (outcome !== 'refused') {
      return { outcome }
    }

    return { outcome: 'held-back', refusal: getFieldErrors(answer as FormResult).form }
  },
}

/**
 * This learner's notes that wait in this browser for their lesson, oldest first; once one is saved,
 * the page reads its notes anew.
 */
export function useWaitingNotes(
  uid: string,
  { courseId, lessonId }: Pick<NoteBody, 'courseId' | 'lessonId'>,
) {
  const [waiting, setWaiting] = useState<WaitingNote[]>([])
  const { revalidate } = useRevalidator()
  const isHere = useCallback(
    (entry: Entry<NoteBody>) =>
      entry.uid === uid && entry.body.courseId === courseId && entry.body.lessonId === lessonId,
    [uid, courseId, lessonId],
  )

  useEffect(() => {
    let left = false
    void outbox.list(waitingNotes).then((entries) => {
      if (!left) {
        setWaiting(entries.filter(isHere).map((entry) => ({ entry })))
      }
    })
    const stopListening = outbox.listen(waitingNotes, (entry, { outcome, refusal }) => {
      if (!isHere(entry)) {
        return false
      }

      if (outcome === 'delivered') {
        setWaiting((notes) => notes.filter((note) => note.entry.version !== entry.version))
        void revalidate()
      } else if (refusal) {
        setWaiting((notes) =>
          notes.map((note) => (note.entry.version === entry.version ? { entry, refusal } : note)),
        )
      }

      return !refusal
    })

    return () => {
      left = true
      stopListening()
    }
  }, [isHere, revalidate])

  return {
    waiting,
    add(note: Pick<NoteBody, 'id' | 'positionMs' | 'body'>) {
      const { entry } = outbox.put(waitingNotes, {
        key: `waiting-note ${uid} ${note.id}`,
        uid,
        body: { courseId, lessonId, ...note },
      })

      setWaiting((notes) => [...notes, { entry }])
    },
    /** Takes one back, to be changed. */
    takeBack({ entry }: WaitingNote) {
      void outbox.remove(entry)
      setWaiting((notes) => notes.filter((note) => note.entry !== entry))
    },
  }
}
