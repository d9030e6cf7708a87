import { Clock, NotebookPen, Pencil, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link, useFetcher } from 'react-router'
import { Button } from '~/ui/button'
import { clockText } from './lesson-length'
import type { LessonNote } from './lesson-page-data'
import { noteLimits } from './note-form'
import { ProseText } from './prose-text'

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
              <Note note={note} here={note.lessonId === lessonId} courseId={courseId} timed={timed} onSeek={onSeek} />
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
      <Problem message={fetcher.data?.ok === false ? fetcher.data.message : undefined} />
    </fetcher.Form>
  )
}

function NoteText({
  label,
  fieldId,
  defaultValue,
  focus,
}: {
  label: string
  fieldId: string
  defaultValue?: string
  focus?: boolean
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focus) field.current?.focus()
  }, [focus])
  const submit = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) field.current?.form?.requestSubmit()
  }
  return (
    <>
      <label htmlFor={fieldId} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <textarea
        ref={field}
        id={fieldId}
        name="body"
        required
        maxLength={noteLimits.body}
        rows={3}
        defaultValue={defaultValue}
        onKeyDown={submit}
        className="block w-full rounded-control border border-edge bg-surface px-3.5 py-2.5"
      />
    </>
  )
}

function Problem({ message }: { message: string | undefined }) {
  return (
    <p role="alert" className="text-sm font-medium text-bad">
      {message}
    </p>
  )
}

function Note({
  note,
  here,
  courseId,
  timed,
  onSeek,
}: {
  note: LessonNote
  here: boolean
  courseId: string
  timed: boolean
  onSeek(seconds: number): void
}) {
  const [editing, setEditing] = useState(false)
  const seconds = Math.floor(note.positionMs / 1000)
  return (
    <article className="rounded-control border border-line p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {here && timed && (
          <button
            type="button"
            onClick={() => onSeek(note.positionMs / 1000)}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-control bg-accent-soft px-2.5 text-sm font-semibold text-accent-strong tabular-nums"
          >
            <Clock aria-hidden="true" size={15} />
            <span className="sr-only">Go to </span>
            {clockText(seconds)}
          </button>
        )}
        {!here && (
          <Link
            to={`/Learn/${courseId}/${note.lessonId}?at=${seconds}`}
            className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline-offset-2 hover:underline"
          >
            {note.lessonTitle}
            {seconds > 0 && ` · ${clockText(seconds)}`}
          </Link>
        )}
        <span className="flex-1" />
        <NoteAction
          label="Edit the note"
          onClick={() => setEditing(!editing)}
          icon={<Pencil aria-hidden="true" size={17} />}
        />
        <DeleteNote id={note.id} />
      </div>
      {editing ? (
        <EditNote note={note} onDone={() => setEditing(false)} />
      ) : (
        <ProseText html={note.html} className="prose-small mt-2" />
      )}
    </article>
  )
}

function NoteAction({
  label,
  onClick,
  icon,
  type = 'button',
}: {
  label: string
  onClick?(): void
  icon: React.ReactNode
  type?: 'button' | 'submit'
}) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-9 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
    >
      {icon}
    </button>
  )
}

function DeleteNote({ id }: { id: string }) {
  const fetcher = useFetcher()
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="intent" value="delete-note" />
      <input type="hidden" name="id" value={id} />
      <NoteAction type="submit" label="Delete the note" icon={<Trash2 aria-hidden="true" size={17} />} />
    </fetcher.Form>
  )
}

function EditNote({ note, onDone }: { note: LessonNote; onDone(): void }) {
  const fetcher = useFetcher<{ ok: boolean; message?: string }>()
  const saved = fetcher.state === 'idle' && fetcher.data?.ok === true
  useEffect(() => {
    if (saved) onDone()
  }, [saved, onDone])
  return (
    <fetcher.Form method="post" className="mt-2">
      <input type="hidden" name="intent" value="note" />
      <input type="hidden" name="id" value={note.id} />
      <input type="hidden" name="positionMs" value={note.positionMs} />
      <NoteText label="Edit the note" fieldId={`note-${note.id}`} defaultValue={note.body} focus />
      <div className="mt-2 flex gap-2">
        <Button type="submit" disabled={fetcher.state !== 'idle'}>
          Save note
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <Problem message={fetcher.data?.ok === false ? fetcher.data.message : undefined} />
    </fetcher.Form>
  )
}
