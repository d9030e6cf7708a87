import { NotebookPen } from 'lucide-react'
import {
  type FormEvent,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Link, useActionData } from 'react-router'
import { type DraftKind, findDraft, removeDraft, storeDraft } from '~/outbox/drafts'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import {
  type LessonFormAnswer,
  type LessonFormDone,
  LessonFormFields,
  PageLearnerContext,
} from '../lessons/lesson-form'
import { noNotes, noteMessages, notesShown } from '../lessons/lesson-messages'
import type { LessonNote, NotesPage } from '../lessons/lesson-page-data'
import { NoteEntry, NoteProblem, NoteText } from './note-entry'
import { type NoteChoice, notesAPage, notesUrl } from './note-form'
import { useWaitingNotes, type WaitingNote } from './waiting-notes'

type NotesProps = {
  notes: NotesPage
  lessonId: string
  courseId: string
  /** Only a video has places in time. */
  timed: boolean
  now(): number
  onSeek(seconds: number): void
}

/** A page of the learner's notes: those of this lesson, or of the whole course. */
export function NotesPanel({ notes, lessonId, courseId, timed, now, onSeek }: NotesProps) {
  const { scope, list } = notes
  const title = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(`${scope} ${notes.from}`, heading)
  const waitingNotes = useWaitingNotes(useContext(PageLearnerContext), { courseId, lessonId })

  return (
    <section aria-labelledby={title}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2
          ref={heading}
          id={title}
          tabIndex={-1}
          className="text-lg font-bold outline-none sr-only noscript:not-sr-only!"
        >
          Notes
        </h2>
        <nav aria-label="Filter notes" className="flex flex-wrap gap-x-5">
          <ScopeLink scope="lesson" current={scope}>{`This lesson (${notes.inLesson})`}</ScopeLink>
          <ScopeLink scope="course" current={scope}>{`Whole course (${notes.inCourse})`}</ScopeLink>
        </nav>
      </div>
      <NewNote
        notes={list}
        lessonId={lessonId}
        courseId={courseId}
        timed={timed}
        now={now}
        {...waitingNotes}
      />
      {list.length === 0 && waitingNotes.waiting.length === 0 && (
        <p className="mt-5 flex items-center gap-3 text-muted">
          <NotebookPen aria-hidden="true" size={20} className="shrink-0" />
          {emptyText(notes)}
        </p>
      )}
      {list.length > 0 && (
        <ul className="mt-5 flex flex-col gap-3">
          {list.map((note) => (
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
      <NotesPager notes={notes} />
    </section>
  )
}

function emptyText({ scope, from }: NotesPage): string {
  if (from > 0) {
    return noNotes.further
  }

  return scope === 'course' ? noNotes.inCourse : noNotes.inLesson
}

const linkLook =
  'inline-flex min-h-11 items-center font-semibold text-accent underline-offset-4 hover:underline'

function ScopeLink({
  scope,
  current,
  children,
}: {
  scope: NoteChoice['scope']
  current: string
  children: string
}) {
  return (
    <Link
      to={notesUrl({ scope, from: 0 })}
      preventScrollReset
      aria-current={scope === current ? 'true' : undefined}
      className="inline-flex min-h-11 items-center text-sm text-muted underline-offset-4 hover:underline aria-[current=true]:font-semibold aria-[current=true]:text-ink"
    >
      {children}
    </Link>
  )
}

/** Links, so that it needs no script. */
function NotesPager({ notes: { scope, from, total, list } }: { notes: NotesPage }) {
  const next = from + list.length
  if (from === 0 && next >= total) {
    return null
  }

  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6">
      <p className="text-muted text-sm">{list.length > 0 && notesShown(from + 1, next, total)}</p>
      <div className="flex gap-x-6">
        {from > 0 && (
          <Link
            to={notesUrl({ scope, from: Math.max(0, from - notesAPage) })}
            preventScrollReset
            className={linkLook}
          >
            Show earlier notes
          </Link>
        )}
        {next < total && (
          <Link to={notesUrl({ scope, from: next })} preventScrollReset className={linkLook}>
            Show more notes
          </Link>
        )}
      </div>
    </div>
  )
}

type NewNoteProps = Pick<NotesProps, 'lessonId' | 'courseId' | 'timed' | 'now'> &
  ReturnType<typeof useWaitingNotes> & { notes: readonly LessonNote[] }

function NewNote({ notes, lessonId, courseId, timed, now, waiting, add, takeBack }: NewNoteProps) {
  const initialResult = useActionData<LessonFormAnswer>()
  const form = useForm<LessonFormDone>({ initialResult })
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useNoteDraft(`${courseId}/${lessonId}`, field)
  const place = useRef<HTMLInputElement>(null)
  const savedNote = form.result?.done ? form.result.saved : undefined
  const submit = (event: FormEvent) => {
    const positionMs = String(Math.round(now() * 1000))
    if (place.current) {
      place.current.value = positionMs
    }

    if (navigator.onLine) {
      return
    }

    event.preventDefault()
    if (draft.text.trim() === '') {
      return
    }

    add({ id: draft.id, positionMs, body: draft.text })
    draft.next(draft.text.trimStart())
  }
  const change = (note: WaitingNote) => {
    takeBack(note)
    draft.write([note.entry.body.body, draft.text].filter(Boolean).join('\n'))
    field.current?.focus()
  }

  useEffect(() => {
    // It may stand on another page of the notes; and its answer may not have been saved.
    const saved = [...notes, savedNote].find((note) => note?.id === draft.id)
    if (saved) {
      draft.next(saved.body)
    }
  }, [notes, savedNote, draft])

  return (
    <Form form={form} onSubmit={submit} className="mt-3">
      <LessonFormFields intent="note" />
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
        <p className="text-sm text-muted">You can use Markdown: **bold**, - lists, `code`.</p>
        <Button type="submit" variant="secondary" disabled={form.isBusy}>
          Add note
        </Button>
      </div>
      <p role="status" className="text-muted text-sm">
        {savedNote && !form.isBusy && draft.text === '' && noteMessages.saved}
      </p>
      <NoteProblem answer={form.result} />
      {waiting.length > 0 && (
        <ul aria-label="Notes to be sent" className="mt-3 flex flex-col gap-3">
          {waiting.map((note) => (
            <WaitingNoteEntry key={note.entry.key} note={note} onChange={() => change(note)} />
          ))}
        </ul>
      )}
    </Form>
  )
}

function WaitingNoteEntry({
  note: { entry, refusal },
  onChange,
}: {
  note: WaitingNote
  onChange(): void
}) {
  return (
    <li className="rounded-control border border-edge border-dashed p-4">
      <p className="whitespace-pre-wrap break-words">{entry.body.body}</p>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3">
        <p role="status" className={`text-sm ${refusal ? 'font-medium text-bad' : 'text-muted'}`}>
          {refusal ?? noteMessages.waiting}
        </p>
        <Button variant="quiet" onClick={onChange} className="-mx-5">
          Edit
        </Button>
      </div>
    </li>
  )
}

type Draft = { id: string; text: string }

const noteDrafts: DraftKind<Draft> = { name: 'note-draft' }

/**
 * The unsaved text of a note. It survives a closed tab and belongs to this learner only. It has the
 * id of the future note, so a retry after a lost answer saves the same note.
 *
 * @param field may have input from before hydration.
 */
function useNoteDraft(lesson: string, field: RefObject<HTMLTextAreaElement | null>) {
  const uid = useContext(PageLearnerContext)
  const [draft, setDraft] = useState<Draft>({ id: '', text: '' })
  useEffect(() => {
    let left = false
    const id = crypto.randomUUID()
    setDraft({ id, text: field.current?.value ?? '' })
    void findDraft(noteDrafts, keyOf(uid, lesson), uid).then((stored) => {
      // Text typed meanwhile is appended to it.
      const text = [stored?.text, field.current?.value].filter(Boolean).join('\n')
      if (left || text === '') {
        return
      }

      const begun = { id: stored?.id || id, text }
      setDraft(begun)
      write(uid, lesson, begun)
    })

    return () => {
      left = true
    }
  }, [uid, lesson, field])
  const change = (next: Draft) => {
    setDraft(next)
    write(uid, lesson, next)
  }

  return {
    ...draft,
    write: (text: string) => change({ id: draft.id || crypto.randomUUID(), text }),
    /**
     * The draft was saved as a note with this text; text typed meanwhile becomes the next draft.
     */
    next: (saved: string) => {
      const text = draft.text.trimStart()
      change({
        id: crypto.randomUUID(),
        text: text.startsWith(saved) ? text.slice(saved.length).trim() : text,
      })
    },
  }
}

const keyOf = (uid: string, lesson: string) => `note ${uid} ${lesson}`

function write(uid: string, lesson: string, draft: Draft): void {
  if (draft.text === '') {
    void removeDraft(keyOf(uid, lesson))
  } else {
    storeDraft(noteDrafts, keyOf(uid, lesson), uid, draft)
  }
}
