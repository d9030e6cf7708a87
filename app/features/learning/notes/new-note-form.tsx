import { type FormEvent, useEffect, useRef } from 'react'
import { useActionData } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import {
  LessonFormError,
  LessonFormFields,
  type LessonFormResult,
  type LessonFormSuccess,
} from '../lessons/lesson-form'
import type { LessonNote } from '../lessons/lesson-page-data'
import { NoteText } from './note-entry'
import { noteMessages } from './note-messages'
import { useNoteDraft } from './use-note-draft'
import type { useWaitingNotes, WaitingNote } from './waiting-notes'

type NewNoteFormProps = {
  lessonId: string
  courseId: string
  /** Whether notes are taken at a time of the lesson, as in a video. */
  hasPlaybackTime: boolean
  /** Returns the current second of the video. */
  now(): number
  /** The notes that the panel displays. */
  savedNotes: readonly LessonNote[]
  waitingNotes: ReturnType<typeof useWaitingNotes>
}

/**
 * A form that adds a note, and the notes that could not be sent yet. Without a connection, a new
 * note waits in the outbox of this browser.
 */
export function NewNoteForm({
  lessonId,
  courseId,
  hasPlaybackTime,
  now,
  savedNotes,
  waitingNotes,
}: NewNoteFormProps) {
  const initialResult = useActionData<LessonFormResult>()
  const form = useForm<LessonFormSuccess>({ initialResult })
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useNoteDraft(`${courseId}/${lessonId}`, field)
  const positionField = useRef<HTMLInputElement>(null)
  const addedNote = form.result?.done ? form.result.saved : undefined

  const handleSubmit = (event: FormEvent) => {
    const positionMs = String(Math.round(now() * 1000))
    if (positionField.current) {
      positionField.current.value = positionMs
    }

    if (navigator.onLine) {
      return
    }

    event.preventDefault()
    if (draft.text.trim() === '') {
      return
    }

    waitingNotes.add({ id: draft.id, positionMs, body: draft.text })
    draft.startNext(draft.text.trimStart())
  }

  const editWaitingNote = (note: WaitingNote) => {
    waitingNotes.remove(note)
    const texts = [note.entry.body.body, draft.text].filter(Boolean)
    draft.write(texts.join('\n'))
    field.current?.focus()
  }

  useEffect(() => {
    // The response to the form can get lost, and the added note can be on another page of notes
    // than the displayed one. So the note is looked for in both.
    const noteOfDraft = [...savedNotes, addedNote].find((note) => note?.id === draft.id)
    if (noteOfDraft) {
      draft.startNext(noteOfDraft.body)
    }
  }, [savedNotes, addedNote, draft])

  return (
    <Form form={form} onSubmit={handleSubmit} className="mt-3">
      <LessonFormFields intent="note" />
      <input type="hidden" name="id" value={draft.id} />
      <input ref={positionField} type="hidden" name="positionMs" defaultValue={0} />
      <NoteText
        label={hasPlaybackTime ? 'New note at this moment' : 'New note'}
        fieldId={`new-note-${lessonId}`}
        field={field}
        value={draft.text}
        onChange={(event) => draft.write(event.target.value)}
      />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">You can use Markdown: **bold**, - lists, `code`.</p>
        <Button type="submit" variant="secondary" disabled={form.isBusy}>
          Add note
        </Button>
      </div>
      <p role="status" className="text-muted text-sm">
        {addedNote && !form.isBusy && draft.text === '' && noteMessages.saved}
      </p>
      <LessonFormError result={form.result} />
      {waitingNotes.list.length > 0 && (
        <ul aria-label="Notes to be sent" className="mt-3 flex flex-col gap-3">
          {waitingNotes.list.map((note) => (
            <WaitingNoteEntry
              key={note.entry.key}
              note={note}
              onEdit={() => editWaitingNote(note)}
            />
          ))}
        </ul>
      )}
    </Form>
  )
}

type WaitingNoteEntryProps = { note: WaitingNote; onEdit(): void }

function WaitingNoteEntry({ note, onEdit }: WaitingNoteEntryProps) {
  const { entry, refusal } = note

  return (
    <li className="rounded-control border border-edge border-dashed p-4">
      <p className="whitespace-pre-wrap break-words">{entry.body.body}</p>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3">
        <p role="status" className={`text-sm ${refusal ? 'font-medium text-bad' : 'text-muted'}`}>
          {refusal ?? noteMessages.waiting}
        </p>
        <Button variant="quiet" onClick={onEdit} className="-mx-5">
          Edit
        </Button>
      </div>
    </li>
  )
}
