import { useCallback, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { postEntry } from '~/outbox/delivery'
import type { OutboxEntry } from '~/outbox/entry-store'
import { type EntryKind, outbox } from '~/outbox/outbox'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'

/** The fields of the form for a new note, and the lesson of the note. */
type NoteBody = { courseId: string; lessonId: string; id: string; positionMs: string; body: string }

export type WaitingNote = { entry: OutboxEntry<NoteBody>; refusal?: string }

/**
 * Sends the notes that were added while the browser was offline. A note that the server rejects
 * stays in the outbox until the learner changes it.
 */
export const waitingNotes: EntryKind<NoteBody> = {
  name: 'note',
  async send({ uid, body: { courseId, lessonId, ...fields } }) {
    const form = new URLSearchParams({ intent: 'note', uid: uid ?? '', ...fields })
    const { outcome, responseBody } = await postEntry(`/Learn/${courseId}/${lessonId}/notes`, form)
    if (outcome !== 'refused') {
      return { outcome }
    }

    return { outcome: 'held-back', refusal: getFieldErrors(responseBody as FormResult).form }
  },
}

/**
 * Returns the learner's notes for a lesson that this browser has not sent yet, oldest first. When
 * the server has saved one of them, the page loads its notes again.
 */
export function useWaitingNotes(
  uid: string,
  { courseId, lessonId }: Pick<NoteBody, 'courseId' | 'lessonId'>,
) {
  const [waiting, setWaiting] = useState<WaitingNote[]>([])
  const { revalidate } = useRevalidator()
  const isOfThisLesson = useCallback(
    (entry: OutboxEntry<NoteBody>) =>
      entry.uid === uid && entry.body.courseId === courseId && entry.body.lessonId === lessonId,
    [uid, courseId, lessonId],
  )

  useEffect(() => {
    let isUnmounted = false
    void outbox.list(waitingNotes).then((entries) => {
      if (!isUnmounted) {
        setWaiting(entries.filter(isOfThisLesson).map((entry) => ({ entry })))
      }
    })

    const stopListening = outbox.onResult(waitingNotes, (entry, { outcome, refusal }) => {
      if (!isOfThisLesson(entry)) {
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
      isUnmounted = true
      stopListening()
    }
  }, [isOfThisLesson, revalidate])

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

    /** Removes a note from the outbox, so that the learner can change it. */
    takeBack({ entry }: WaitingNote) {
      void outbox.remove(entry)
      setWaiting((notes) => notes.filter((note) => note.entry !== entry))
    },
  }
}
