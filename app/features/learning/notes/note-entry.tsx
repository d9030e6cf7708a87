import { Clock, Pencil, Trash2 } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Link, useFetcher } from 'react-router'
import { Button, IconButton } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { useForm } from '~/ui/form/use-form'
import { formatClock } from '~/ui/format-duration'
import { ProseText } from '~/ui/prose-text'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { type LessonFormAnswer, LessonFormFields } from '../lessons/lesson-form'
import type { LessonNote } from '../lessons/lesson-page-data'
import { noteLimits } from './note-form'

/** One note: its place, its text, and its buttons. */
export function NoteEntry({
  note,
  here,
  courseId,
  timed,
  onSeek,
  onDeleted,
}: {
  note: LessonNote
  here: boolean
  courseId: string
  timed: boolean
  onSeek(seconds: number): void
  onDeleted(): void
}) {
  const [editing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const stopEditing = useCallback(() => {
    setEditing(false)
    edit.current?.focus()
  }, [])
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
            {formatClock(seconds)}
          </button>
        )}
        {!here && (
          <Link
            to={`/Learn/${courseId}/${note.lessonId}?at=${seconds}`}
            className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline-offset-2 hover:underline"
          >
            {note.lessonTitle}
            {seconds > 0 && ` · ${formatClock(seconds)}`}
          </Link>
        )}
        <span className="flex-1" />
        <IconButton
          ref={edit}
          label="Edit note"
          title="Edit note"
          onClick={() => setEditing(!editing)}
        >
          <Pencil aria-hidden="true" size={17} />
        </IconButton>
        <DeleteNote id={note.id} onDeleted={onDeleted} />
      </div>
      {editing ? (
        <EditNote note={note} onDone={stopEditing} />
      ) : (
        <ProseText html={note.html} className="prose-small mt-2" />
      )}
    </article>
  )
}

/** Asks first, because a deleted note can't be restored. */
function DeleteNote({ id, onDeleted }: { id: string; onDeleted(): void }) {
  const fetcher = useFetcher<LessonFormAnswer>()
  const [asked, setAsked] = useState(false)
  const shown = useRef<HTMLButtonElement>(null)
  useFocusOnChange(asked, shown, { onlyIfLost: true })
  const done = fetcher.data?.done
  useEffect(() => {
    if (done) {
      onDeleted()
    }
  }, [done, onDeleted])

  if (!asked) {
    return (
      <IconButton
        ref={shown}
        label="Delete note"
        title="Delete note"
        onClick={() => setAsked(true)}
      >
        <Trash2 aria-hidden="true" size={17} />
      </IconButton>
    )
  }

  return (
    <fetcher.Form method="post" className="flex flex-wrap items-center gap-1">
      <LessonFormFields intent="delete-note" />
      <input type="hidden" name="id" value={id} />
      <button
        ref={shown}
        type="submit"
        className="min-h-9 rounded-control px-3 font-semibold text-bad hover:bg-bad-soft"
      >
        Delete
      </button>
      <button
        type="button"
        onClick={() => setAsked(false)}
        className="min-h-9 rounded-control px-3 font-semibold hover:bg-sunken"
      >
        Keep note
      </button>
      <NoteProblem answer={fetcher.data} />
    </fetcher.Form>
  )
}

function EditNote({ note, onDone }: { note: LessonNote; onDone(): void }) {
  const form = useForm({ onSuccess: onDone })
  const hiddenValues = { id: note.id, positionMs: String(note.positionMs) }

  return (
    <Form form={form} hiddenValues={hiddenValues} className="mt-2">
      <LessonFormFields intent="note" />
      <NoteText label="Edit note" fieldId={`note-${note.id}`} defaultValue={note.body} focus />
      <div className="mt-2 flex gap-2">
        <Button type="submit" disabled={form.isBusy}>
          Save note
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <NoteProblem answer={form.result} />
    </Form>
  )
}

/** Where a note is written; Ctrl+Enter sends it. */
export function NoteText({
  label,
  fieldId,
  focus,
  field: given,
  ...text
}: {
  label: string
  fieldId: string
  focus?: boolean
  field?: RefObject<HTMLTextAreaElement | null>
} & Pick<ComponentProps<'textarea'>, 'defaultValue' | 'value' | 'onChange'>) {
  const own = useRef<HTMLTextAreaElement>(null)
  const field = given ?? own
  useEffect(() => {
    if (focus) {
      field.current?.focus()
    }
  }, [focus, field])
  const submit = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      field.current?.form?.requestSubmit()
    }
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
        // Text that the browser restored after a reload isn't new input.
        autoComplete="off"
        required
        maxLength={noteLimits.body}
        rows={3}
        {...text}
        onKeyDown={submit}
        className="block w-full rounded-control border border-edge bg-surface px-3.5 py-2.5"
      />
    </>
  )
}

export function NoteProblem({ answer }: { answer: FormResult | undefined }) {
  return (
    <p role="alert" className="text-sm font-medium text-bad">
      {getFieldErrors(answer).form}
    </p>
  )
}
