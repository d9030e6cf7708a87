import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { isEnrolled } from './browser-enrollments'
import { enrolledHere, enrollmentNotes } from './enrollment-messages'
import { useOwnCourses } from './own-courses'

type NoteProps = {
  courseId: string
  /** Of the course; undefined until it is known. */
  completed: boolean | undefined
  /** The course has to be bought. */
  isSold?: boolean
}

/**
 * Where an enrollment is stored, in the same number of lines before and after, so that nothing
 * moves.
 */
export function EnrollNote(props: NoteProps) {
  const note = useRef<HTMLParagraphElement>(null)
  return (
    <p
      ref={note}
      role="status"
      tabIndex={-1}
      className="min-h-[2lh] text-sm text-muted outline-none"
    >
      <NoteText {...props} onUndone={() => note.current?.focus()} />
    </p>
  )
}

type NoteTextProps = NoteProps & { onUndone(): void }

/** The lessons are open as soon as the account has the course. */
function NoteText({ courseId, completed, isSold = false, onUndone }: NoteTextProps) {
  const { pathname, search } = useLocation()
  const { uid, enrollments, enroll } = useOwnCourses()
  const enrolled = enrollments !== null && isEnrolled(enrollments, courseId)
  if (!enrolled && enrollments?.refusal) {
    return enrollments.refusal
  }

  if (uid && enrollments?.waiting.includes(courseId)) {
    return enrollmentNotes.moving
  }

  if (uid && enrolled) {
    return <EnrolledNote courseId={courseId} completed={completed !== false} />
  }

  const undo = () => {
    enroll(courseId)
    onUndone()
  }
  if (uid && enrollments?.left === courseId) {
    return <LeftNote onUndo={undo} />
  }

  if (uid || isSold) {
    return null
  }

  if (!enrolled) {
    return (
      <span className="in-data-[enrolled=true]:invisible">{enrollmentNotes.noAccountNeeded}</span>
    )
  }

  const login = `/Login?${new URLSearchParams({ from: pathname + search })}`

  return enrolledHere((words) => (
    <Link
      to={login}
      className="font-semibold text-ink underline underline-offset-2 hover:text-accent"
    >
      {words}
    </Link>
  ))
}

/** With a button to leave the course; a completed course stays. */
function EnrolledNote({ courseId, completed }: { courseId: string; completed: boolean }) {
  const { leave } = useOwnCourses()
  const [leaving, setLeaving] = useState(false)
  const [problem, setProblem] = useState('')
  const leaveOnce = async () => {
    if (leaving) {
      return
    }

    setLeaving(true)
    const refusal = await leave(courseId)
    setLeaving(false)
    setProblem(refusal ?? '')
  }

  return (
    <>
      {enrollmentNotes.inAccount}{' '}
      {!completed && (
        <button
          type="button"
          // A disabled button would lose the focus, even if the course stays.
          aria-disabled={leaving}
          onClick={leaveOnce}
          className="inline-flex min-h-6 items-center underline underline-offset-2 hover:text-ink"
        >
          Leave course
        </button>
      )}
      {problem && <span className="block font-medium text-bad">{problem}</span>}
    </>
  )
}

function LeftNote({ onUndo }: { onUndo(): void }) {
  return (
    <>
      {enrollmentNotes.left} {/* The button that was pressed is gone: the focus goes on here. */}
      {/* biome-ignore lint/a11y/noAutofocus: see above. */}
      <button type="button" autoFocus onClick={onUndo} className="link min-h-6">
        Undo
      </button>
    </>
  )
}
