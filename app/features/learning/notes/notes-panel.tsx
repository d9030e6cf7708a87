import { NotebookPen } from 'lucide-react'
import { useContext, useId, useRef } from 'react'
import { Link } from 'react-router'
import { useFocusOnChange } from '~/ui/hooks'
import { PageLearnerContext } from '../lessons/lesson-form'
import type { NotesPage } from '../lessons/lesson-page-data'
import { NewNoteForm } from './new-note-form'
import { NoteEntry } from './note-entry'
import { type NoteChoice, notesPerPage, notesUrl } from './note-form'
import { noteMessages } from './note-messages'
import { useWaitingNotes } from './waiting-notes'

type NotesPanelProps = {
  notes: NotesPage
  lessonId: string
  courseId: string
  /** Whether notes are taken at a time of the lesson, as in a video. */
  hasPlaybackTime: boolean
  /** Returns the current second of the video. */
  now(): number
  onSeek(seconds: number): void
}

/**
 * Displays a form for a new note, and a page of the learner's notes in the lesson or the course.
 */
export function NotesPanel({
  notes,
  lessonId,
  courseId,
  hasPlaybackTime,
  now,
  onSeek,
}: NotesPanelProps) {
  const { scope, list } = notes
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(`${scope} ${notes.from}`, heading)
  const uid = useContext(PageLearnerContext)
  const waitingNotes = useWaitingNotes(uid, { courseId, lessonId })

  return (
    <section aria-labelledby={titleId}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2
          ref={heading}
          id={titleId}
          tabIndex={-1}
          className="text-lg font-bold outline-none sr-only noscript:not-sr-only!"
        >
          Notes
        </h2>
        <nav aria-label="Filter notes" className="flex flex-wrap gap-x-5">
          <ScopeLink
            scope="lesson"
            currentScope={scope}
            label={`This lesson (${notes.inLesson})`}
          />
          <ScopeLink
            scope="course"
            currentScope={scope}
            label={`Whole course (${notes.inCourse})`}
          />
        </nav>
      </div>
      <NewNoteForm
        savedNotes={list}
        lessonId={lessonId}
        courseId={courseId}
        hasPlaybackTime={hasPlaybackTime}
        now={now}
        waitingNotes={waitingNotes}
      />
      {list.length === 0 && waitingNotes.list.length === 0 && (
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
    return noteMessages.noNotes.onLaterPage
  }

  return scope === 'course' ? noteMessages.noNotes.inCourse : noteMessages.noNotes.inLesson
}

type ScopeLinkProps = {
  scope: NoteChoice['scope']
  currentScope: NoteChoice['scope']
  label: string
}

function ScopeLink({ scope, currentScope, label }: ScopeLinkProps) {
  return (
    <Link
      to={notesUrl({ scope, from: 0 })}
      preventScrollReset
      aria-current={scope === currentScope ? 'true' : undefined}
      className="inline-flex min-h-11 items-center text-sm text-muted underline-offset-4 hover:underline aria-[current=true]:font-semibold aria-[current=true]:text-ink"
    >
      {label}
    </Link>
  )
}

const pagerLinkClasses =
  'inline-flex min-h-11 items-center font-semibold text-accent underline-offset-4 hover:underline'

/** Links to the other pages of notes. They are links so that they work without JavaScript. */
function NotesPager({ notes: { scope, from, total, list } }: { notes: NotesPage }) {
  const nextFrom = from + list.length
  if (from === 0 && nextFrom >= total) {
    return null
  }

  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6">
      <p className="text-muted text-sm">
        {list.length > 0 && notesRangeText(from + 1, nextFrom, total)}
      </p>
      <div className="flex gap-x-6">
        {from > 0 && (
          <Link
            to={notesUrl({ scope, from: Math.max(0, from - notesPerPage) })}
            preventScrollReset
            className={pagerLinkClasses}
          >
            Show earlier notes
          </Link>
        )}
        {nextFrom < total && (
          <Link
            to={notesUrl({ scope, from: nextFrom })}
            preventScrollReset
            className={pagerLinkClasses}
          >
            Show more notes
          </Link>
        )}
      </div>
    </div>
  )
}

function notesRangeText(from: number, to: number, total: number): string {
  return `${from}–${to} of ${total}`
}
