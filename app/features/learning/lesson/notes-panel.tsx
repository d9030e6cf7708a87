import { NotebookPen } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useActionData, useFetcher } from 'react-router'
import { Button } from '~/ui/button'
import { LessonForm, type LessonFormAnswer } from './lesson-form'
import type { LessonNote } from './lesson-page-data'
import { useNoteDraft } from './note-draft'
import { NoteEntry } from './note-entry'
import { NoteProblem, NoteText } from './note-text'

type NotesProps = {
  notes: readonly LessonNote[]
  lessonId: string
  courseId: string
  /** Only a video has places in time. */
  timed: boolean
  now(): number
  onSeek(seconds: number): void
}

/** The learner's notes: those of this lesson, or of the whole course. */
export function NotesPanel({ notes, lessonId, courseId, timed, now, onSeek }: NotesProps) {
  const [whole, setWhole] = useState(false)
  const title = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const own = notes.filter((note) => note.lessonId === lessonId)
  const shown = whole ? notes : own
  return (
    <section aria-labelledby={title} className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 ref={heading} id={title} tabIndex={-1} className="text-lg font-bold outline-none">
          Notes
        </h2>
        <label className="inline-flex min-h-11 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={whole}
            onChange={(event) => setWhole(event.target.checked)}
            className="size-5 accent-accent"
          />
          Of the whole course ({notes.length})
        </label>
      </div>
      <NewNote notes={notes} lessonId={lessonId} courseId={courseId} timed={timed} now={now} />
      {shown.length === 0 ? (
        <p className="mt-5 flex items-center gap-3 text-muted">
          <NotebookPen aria-hidden="true" size={20} className="shrink-0" />
          {whole ? 'You have no notes in this course yet.' : 'You have no notes in this lesson yet.'}
        </p>
      ) : (
        <ul className="mt-5 flex flex-col gap-3">
          {shown.map((note) => (
            <li key={note.id}>
              <NoteEntry
                note={note}
                here={note.lessonId === lessonId}
                courseId={courseId}
                timed={timed}
                onSeek={onSeek}
                onDeleted={() => heading.current?.focus()}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type NewNoteProps = Pick<NotesProps, 'notes' | 'lessonId' | 'courseId' | 'timed' | 'now'>

function NewNote({ notes, lessonId, courseId, timed, now }: NewNoteProps) {
  const fetcher = useFetcher<LessonFormAnswer>()
  // Without a script the answer comes with the page.
  const answerOfPage = useActionData<LessonFormAnswer>()
  const answer = fetcher.data ?? answerOfPage
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useNoteDraft(`${courseId}/${lessonId}`, field)
  const place = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const saved = notes.find(({ id }) => id === draft.id)
    if (saved) draft.next(saved.body)
  }, [notes, draft])
  return (
    <LessonForm
      fetcher={fetcher}
      intent="note"
      onSubmit={() => {
        if (place.current) place.current.value = String(Math.round(now() * 1000))
      }}
      className="mt-3"
    >
      <input type="hidden" name="id" value={draft.id} />
      <input ref={place} type="hidden" name="positionMs" defaultValue={0} />
      <NoteText
        label={timed ? 'New note at this moment' : 'New note'}
        fieldId={`new-note-${lessonId}`}
        field={field}
        value={draft.text}
        onChange={(event) => draft.write(event.target.value)}
      />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">Markdown works: **bold**, - lists, `code`.</p>
        <Button type="submit" look="secondary" disabled={fetcher.state !== 'idle'}>
          Add note
        </Button>
      </div>
      <NoteProblem message={answer?.ok === false ? answer.message : undefined} />
    </LessonForm>
  )
}
