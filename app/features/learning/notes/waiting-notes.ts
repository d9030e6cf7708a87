/**
 * Notes that a learner adds while the browser is offline. They wait in the outbox until the server
 * has saved them. Notes that the server refuses stay there, so that the learner can correct them.
 */
import { useCallback, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { postEntry } from '~/outbox/delivery'
import type { EntryKind } from '~/outbox/entry-kind'
import type { OutboxEntry } from '~/outbox/entry-store'
import { outbox } from '~/outbox/outbox'
import { findFormError } from '~/ui/form/form-result'

type NoteLesson = { courseId: string; lessonId: string }

/** The fields of the form for a new note, and the lesson of the note. */
type NoteBody = NoteLesson & {
  id: string
  positionMs: string
  body: string
  /** The sentence with which the server refused the note the last time. */
  refusal?: string
}

/**
 * A note that the server has not saved yet, and the sentence with which it refused the note, if it
 * did.
 */
export type WaitingNote = { entry: OutboxEntry<NoteBody>; refusal?: string }

/** The sentence for a refusal whose response contains none. */
const unexplainedRefusal = 'This note couldn’t be saved. Edit it, then add it again.'

/** The lessons whose waiting notes this page shows. */
const displayedLessons = new Set<string>()

/**
 * Lets the refused notes of a lesson be sent again, because its page shows them.
 *
 * @returns a function for when the page no longer shows them
 */
export function allowResending(lesson: NoteLesson): () => void {
  const lessonKey = getLessonKey(lesson)
  displayedLessons.add(lessonKey)
  return () => displayedLessons.delete(lessonKey)
}

function getLessonKey({ courseId, lessonId }: NoteLesson): string {
  return `${courseId}/${lessonId}`
}

/**
 * How a waiting note is sent. A note that the server has refused is sent again only while the page
 * of its lesson shows it, because the learner can change it only there. If the lesson is gone, the
 * server would refuse the note forever.
 */
export const waitingNotes: EntryKind<NoteBody> = {
  name: 'note',
  async send({ uid, body }) {
    const { courseId, lessonId, refusal: previousRefusal, ...fields } = body
    if (previousRefusal && !displayedLessons.has(getLessonKey(body))) {
      return { outcome: 'held-back', refusal: previousRefusal }
    }

    const form = new URLSearchParams({ intent: 'note', uid: uid ?? '', ...fields })
    const { outcome, responseBody } = await postEntry(`/Learn/${courseId}/${lessonId}/notes`, form)
    if (outcome !== 'refused') {
      return { outcome }
    }

    const refusal = findFormError(responseBody) ?? unexplainedRefusal
    return { outcome: 'held-back', refusal, body: { ...body, refusal } }
  },
}

/**
 * Returns the learner's notes for a lesson that this browser has not sent yet, oldest first. When
 * the server has saved one of them, the page loads its notes again.
 */
export function useWaitingNotes(uid: string, { courseId, lessonId }: NoteLesson) {
  const [notesOfLesson, setNotesOfLesson] = useState<WaitingNote[]>([])
  const { revalidate } = useRevalidator()
  const belongsToLesson = useCallback(
    (entry: OutboxEntry<NoteBody>) =>
      entry.uid === uid && entry.body.courseId === courseId && entry.body.lessonId === lessonId,
    [uid, courseId, lessonId],
  )

  useEffect(() => {
    let isUnmounted = false
    const endResending = allowResending({ courseId, lessonId })

    void outbox.list(waitingNotes).then((entries) => {
      if (isUnmounted) {
        return
      }

      const notes = entries
        .filter(belongsToLesson)
        .map((entry) => ({ entry, refusal: entry.body.refusal }))
      setNotesOfLesson(notes)
      // The reason for a refusal may be gone, for example if the learner has enrolled again.
      if (notes.some(({ refusal }) => refusal)) {
        void outbox.send(waitingNotes, uid)
      }
    })

    const stopListening = outbox.onResult(waitingNotes, (entry, { outcome, refusal }) => {
      if (!belongsToLesson(entry)) {
        return false
      }

      if (outcome === 'delivered') {
        setNotesOfLesson((notes) => notes.filter((note) => note.entry.version !== entry.version))
        void revalidate()
      } else if (refusal) {
        setNotesOfLesson((notes) =>
          notes.map((note) => (note.entry.version === entry.version ? { entry, refusal } : note)),
        )
      }

      const showsResult = !refusal
      return showsResult
    })

    return () => {
      isUnmounted = true
      endResending()
      stopListening()
    }
  }, [belongsToLesson, revalidate, uid, courseId, lessonId])

  return {
    list: notesOfLesson,

    add(note: Pick<NoteBody, 'id' | 'positionMs' | 'body'>) {
      const { entry } = outbox.put(waitingNotes, {
        key: `waiting-note ${uid} ${note.id}`,
        uid,
        body: { courseId, lessonId, ...note },
      })

      setNotesOfLesson((notes) => [...notes, { entry }])
    },

    /** Removes a note from the outbox, so that the learner can change it. */
    remove({ entry }: WaitingNote) {
      void outbox.remove(entry)
      setNotesOfLesson((notes) => notes.filter((note) => note.entry !== entry))
    },
  }
}
