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
import { useForm } from '~/ui/form/use-form'
import { formatClock } from '~/ui/format-duration'
import { useFocusOnChange } from '~/ui/hooks'
import { ProseText } from '~/ui/prose-text'
import { LessonFormError, LessonFormFields, type LessonFormResult } from '../lessons/lesson-form'
import type { LessonNote } from '../lessons/lesson-page-data'
import { noteLimits } from './note-form'

type NoteEntryProps = {
  note: LessonNote
  /** Whether the note belongs to the lesson that is open. */
  isInOpenLesson: boolean
  courseId: string
  /** Whether notes are taken at a time of the open lesson, as in a video. */
  hasPlaybackTime: boolean
  onSeek(seconds: number): void
  onDeleted(): void
}

/** Displays a note with a link to its place in the course and the buttons to edit and delete it. */
export function NoteEntry({
  note,
  isInOpenLesson,
  courseId,
  hasPlaybackTime,
  onSeek,
  onDeleted,
}: NoteEntryProps) {
  const [isEditing, setIsEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const stopEditing = useCallback(() => {
    setIsEditing(false)
    editButton.current?.focus()
  }, [])
  const seconds = Math.floor(note.positionMs / 1000)

  return (
    <article className="rounded-control border border-line p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isInOpenLesson && hasPlaybackTime && (
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
        {!isInOpenLesson && (
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
          ref={editButton}
          label="Edit note"
          title="Edit note"
          onClick={() => setIsEditing(!isEditing)}
        >
          <Pencil aria-hidden="true" size={17} />
        </IconButton>
        <DeleteNoteButton id={note.id} onDeleted={onDeleted} />
      </div>
      {isEditing ? (
        <EditNoteForm note={note} onDone={stopEditing} />
      ) : (
        <ProseText html={note.html} className="prose-small mt-2" />
      )}
    </article>
  )
}

/** A button that asks for confirmation, because a deleted note can't be restored. */
function DeleteNoteButton({ id, onDeleted }: { id: string; onDeleted(): void }) {
  const fetcher = useFetcher<LessonFormResult>()
  const [isConfirming, setIsConfirming] = useState(false)
  const visibleButton = useRef<HTMLButtonElement>(null)
  useFocusOnChange(isConfirming, visibleButton, { onlyIfLost: true })

  const isDeleted = fetcher.data?.done
  useEffect(() => {
    if (isDeleted) {
      onDeleted()
    }
  }, [isDeleted, onDeleted])

  if (!isConfirming) {
    return (
      <IconButton
        ref={visibleButton}
        label="Delete note"
        title="Delete note"
        onClick={() => setIsConfirming(true)}
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
        ref={visibleButton}
        type="submit"
        className="min-h-9 rounded-control px-3 font-semibold text-bad hover:bg-bad-soft"
      >
        Delete
      </button>
      <button
        type="button"
        onClick={() => setIsConfirming(false)}
        className="min-h-9 rounded-control px-3 font-semibold hover:bg-sunken"
      >
        Keep note
      </button>
      <LessonFormError result={fetcher.data} />
    </fetcher.Form>
  )
}

function EditNoteForm({ note, onDone }: { note: LessonNote; onDone(): void }) {
  const form = useForm({ onSuccess: onDone })
  const hiddenValues = { id: note.id, positionMs: String(note.positionMs) }

  return (
    <Form form={form} hiddenValues={hiddenValues} className="mt-2">
      <LessonFormFields intent="note" />
      <NoteText
        label="Edit note"
        fieldId={`note-${note.id}`}
        defaultValue={note.body}
        shouldFocus
      />
      <div className="mt-2 flex gap-2">
        <Button type="submit" disabled={form.isBusy}>
          Save note
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <LessonFormError result={form.result} />
    </Form>
  )
}

type NoteTextProps = {
  label: string
  fieldId: string
  /** Whether the field takes the focus when it appears. */
  shouldFocus?: boolean
  field?: RefObject<HTMLTextAreaElement | null>
} & Pick<ComponentProps<'textarea'>, 'defaultValue' | 'value' | 'onChange'>

/** The field for the text of a note. Ctrl+Enter, or Cmd+Enter on a Mac, submits its form. */
export function NoteText({
  label,
  fieldId,
  shouldFocus = false,
  field: fieldFromParent,
  ...textareaProps
}: NoteTextProps) {
  const ownField = useRef<HTMLTextAreaElement>(null)
  const field = fieldFromParent ?? ownField

  useEffect(() => {
    if (shouldFocus) {
      field.current?.focus()
    }
  }, [shouldFocus, field])

  const handleKeyDown = (event: KeyboardEvent) => {
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
        // Text that the browser restores after a reload would be taken for new input.
        autoComplete="off"
        required
        maxLength={noteLimits.body}
        rows={3}
        {...textareaProps}
        onKeyDown={handleKeyDown}
        className="block w-full rounded-control border border-edge bg-surface px-3.5 py-2.5"
      />
    </>
  )
}
