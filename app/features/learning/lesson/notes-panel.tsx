import { NotebookPen } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '~/ui/button'
import type { LessonNote } from './lesson-page-data'
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
  const own = notes.filter((note) => note.lessonId === lessonId)
  const shown = whole ? notes : own
  return (
    <section aria-labelledby={title} className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={title} className="text-lg font-bold">
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
      <NewNote lessonId={lessonId} timed={timed} now={now} />
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
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function NewNote({ lessonId, timed, now }: { lessonId: string; timed: boolean; now(): number }) {
  const fetcher = useFetcher<{ ok: boolean; message?: string }>()
  const form = useRef<HTMLFormElement>(null)
  const [id, setId] = useState('')
  useEffect(() => setId(crypto.randomUUID()), [])
  useEffect(() => {
    if (fetcher.state !== 'idle' || !fetcher.data?.ok) return
    form.current?.reset()
    setId(crypto.randomUUID())
  }, [fetcher.state, fetcher.data])
  const place = useRef<HTMLInputElement>(null)
  return (
    <fetcher.Form
      ref={form}
      method="post"
      onSubmit={() => {
        if (place.current) place.current.value = String(Math.round(now() * 1000))
      }}
      className="mt-3"
    >
      <input type="hidden" name="intent" value="note" />
      <input type="hidden" name="id" value={id} />
      <input ref={place} type="hidden" name="positionMs" defaultValue={0} />
      <NoteText label={timed ? 'New note at this moment' : 'New note'} fieldId={`new-note-${lessonId}`} />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">Markdown works: **bold**, - lists, `code`.</p>
        <Button type="submit" look="secondary" disabled={fetcher.state !== 'idle'}>
          Add note
        </Button>
      </div>
      <NoteProblem message={fetcher.data?.ok === false ? fetcher.data.message : undefined} />
    </fetcher.Form>
  )
}
