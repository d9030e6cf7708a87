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
import { useFocusOnChange } from '~/ui/hooks'
import {
  type LessonFormDone,
  LessonFormFields,
  type LessonFormResult,
  PageLearnerContext,
} from '../lessons/lesson-form'
import { lessonMessages } from '../lessons/lesson-messages'
import type { LessonNote, NotesPage } from '../lessons/lesson-page-data'
import { NoteEntry, NoteProblem, NoteText } from './note-entry'
import { type NoteChoice, notesPerPage, notesUrl } from './note-form'
import { useWaitingNotes, type WaitingNote } from './waiting-notes'

type NotesProps = {
  notes: NotesPage
  lessonId: string
  courseId: string
  /** Whether notes are taken at a time of the lesson, as in a video. */
  hasPlaybackTime: boolean
  /** Returns the current second of the video. */
  now(): number
  onSeek(seconds: number): void
}

/** Displays a form for a new note, and a page of the learner's notes in the lesson or the course. */
export function NotesPanel({
  notes,
  lessonId,
  courseId,
  hasPlaybackTime,
  now,
  onSeek,
}: NotesProps) {
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
          <ScopeLink
            scope="lesson"
            currentScope={scope}
          >{`This lesson (${notes.inLesson})`}</ScopeLink>
          <ScopeLink
            scope="course"
            currentScope={scope}
          >{`Whole course (${notes.inCourse})`}</ScopeLink>
        </nav>
      </div>
      <NewNote
        notes={list}
        lessonId={lessonId}
        courseId={courseId}
        hasPlaybackTime={hasPlaybackTime}
        now={now}
        {...waitingNotes}
      />
      {list.length === 0 && waitingNotes.waiting.length === 0 && (
        <p className="mt-5 flex items-center gap-3 text-muted">
          <NotebookPen aria-hidden="true" size={20} className="shrink-0" />
          {getEmptyText(notes)}
        </p>
      )}
      {list.length > 0 && (
        <ul className="mt-5 flex flex-col gap-3">
          {list.map((note) => (
            <li key={note.id}>
              <NoteEntry
                note={note}
                isInOpenLesson={note.lessonId === lessonId}
                courseId={courseId}
                hasPlaybackTime={hasPlaybackTime}
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

function getEmptyText({ scope, from }: NotesPage): string {
  if (from > 0) {
    return lessonMessages.noNotes.onLaterPage
  }

  return scope === 'course' ? lessonMessages.noNotes.inCourse : lessonMessages.noNotes.inLesson
}

const pagerLinkStyle =
  'inline-flex min-h-11 items-center font-semibold text-accent underline-offset-4 hover:underline'

function ScopeLink({
  scope,
  currentScope,
  children,
}: {
  scope: NoteChoice['scope']
  currentScope: string
  children: string
}) {
  return (
    <Link
      to={notesUrl({ scope, from: 0 })}
      preventScrollReset
      aria-current={scope === currentScope ? 'true' : undefined}
      className="inline-flex min-h-11 items-center text-sm text-muted underline-offset-4 hover:underline aria-[current=true]:font-semibold aria-[current=true]:text-ink"
    >
      {children}
    </Link>
  )
}

/** Links to the other pages of notes. They are links so that they work without JavaScript. */
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
            to={notesUrl({ scope, from: Math.max(0, from - notesPerPage) })}
            preventScrollReset
            className={pagerLinkStyle}
          >
            Show earlier notes
          </Link>
        )}
        {next < total && (
          <Link to={notesUrl({ scope, from: next })} preventScrollReset className={pagerLinkStyle}>
            Show more notes
          </Link>
        )}
      </div>
    </div>
  )
}

type NewNoteProps = Pick<NotesProps, 'lessonId' | 'courseId' | 'hasPlaybackTime' | 'now'> &
  ReturnType<typeof useWaitingNotes> & { notes: readonly LessonNote[] }

function NewNote({
  notes,
  lessonId,
  courseId,
  hasPlaybackTime,
  now,
  waiting,
  add,
  takeBack,
}: NewNoteProps) {
  const initialResult = useActionData<LessonFormResult>()
  const form = useForm<LessonFormDone>({ initialResult })
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useNoteDraft(`${courseId}/${lessonId}`, field)
  const positionField = useRef<HTMLInputElement>(null)
  const savedNote = form.result?.done ? form.result.saved : undefined

  const submit = (event: FormEvent) => {
    const positionMs = String(Math.round(now() * 1000))
    if (positionField.current) {
      positionField.current.value = positionMs
    }

    if (navigator.onLine) {
      return
    }

    // Without a connection, the note waits in the outbox.
    event.preventDefault()
    if (draft.text.trim() === '') {
      return
    }

    add({ id: draft.id, positionMs, body: draft.text })
    draft.startNext(draft.text.trimStart())
  }

  const editWaitingNote = (note: WaitingNote) => {
    takeBack(note)
    draft.write([note.entry.body.body, draft.text].filter(Boolean).join('\n'))
    field.current?.focus()
  }

  useEffect(() => {
    // The response to the form can get lost, and a saved note can be on another page of notes than
    // the displayed one. So the saved note is looked for in both.
    const noteOfDraft = [...notes, savedNote].find((note) => note?.id === draft.id)
    if (noteOfDraft) {
      draft.startNext(noteOfDraft.body)
    }
  }, [notes, savedNote, draft])

  return (
    <Form form={form} onSubmit={submit} className="mt-3">
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
        {savedNote && !form.isBusy && draft.text === '' && lessonMessages.notes.saved}
      </p>
      <NoteProblem result={form.result} />
      {waiting.length > 0 && (
        <ul aria-label="Notes to be sent" className="mt-3 flex flex-col gap-3">
          {waiting.map((note) => (
            <WaitingNoteEntry
              key={note.entry.key}
              note={note}
              onChange={() => editWaitingNote(note)}
            />
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
          {refusal ?? lessonMessages.notes.waiting}
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
 * Keeps the unsaved text of a note in this browser, for this learner only, also while the page is
 * closed. The draft has the id that its note will have, so a second attempt after a lost response
 * saves the same note.
 *
 * @param lessonKey the id of the course and the id of the lesson
 * @param field the field of the draft, which may contain text that was typed before hydration
 */
function useNoteDraft(lessonKey: string, field: RefObject<HTMLTextAreaElement | null>) {
  const uid = useContext(PageLearnerContext)
  const [draft, setDraft] = useState<Draft>({ id: '', text: '' })

  useEffect(() => {
    let isUnmounted = false
    const id = crypto.randomUUID()
    setDraft({ id, text: field.current?.value ?? '' })

    void findDraft(noteDrafts, getDraftKey(uid, lessonKey), uid).then((storedDraft) => {
      // Text that was typed while the draft was loaded is appended to the draft.
      const text = [storedDraft?.text, field.current?.value].filter(Boolean).join('\n')
      if (isUnmounted || text === '') {
        return
      }

      const restoredDraft = { id: storedDraft?.id || id, text }
      setDraft(restoredDraft)
      saveDraft(uid, lessonKey, restoredDraft)
    })

    return () => {
      isUnmounted = true
    }
  }, [uid, lessonKey, field])

  const changeDraft = (changedDraft: Draft) => {
    setDraft(changedDraft)
    saveDraft(uid, lessonKey, changedDraft)
  }

  return {
    ...draft,

    write(text: string) {
      changeDraft({ id: draft.id || crypto.randomUUID(), text })
    },

    /**
     * Starts the next draft after the draft was saved as a note. The next draft has the text that
     * was typed in the meantime.
     */
    startNext(savedText: string) {
      const text = draft.text.trimStart()
      const newText = text.startsWith(savedText) ? text.slice(savedText.length).trim() : text
      changeDraft({ id: crypto.randomUUID(), text: newText })
    },
  }
}

function getDraftKey(uid: string, lessonKey: string): string {
  return `note ${uid} ${lessonKey}`
}

/** Stores a draft in this browser, or removes it if it is empty. */
function saveDraft(uid: string, lessonKey: string, draft: Draft): void {
  const key = getDraftKey(uid, lessonKey)
  if (draft.text === '') {
    void removeDraft(key)
  } else {
    storeDraft(noteDrafts, key, uid, draft)
  }
}

function notesShown(from: number, to: number, total: number): string {
  return `${from}–${to} of ${total}`
}
