import { type ReactNode, type SubmitEvent, use, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { ScriptNonce } from '~/ui/script-nonce'
import { isEnrolled, isLearnersCourse } from './browser-enrollments'
import { enrollmentsPath } from './course-choices'
import { enrolledHere, enrollmentNotes } from './enrollment-messages'
import { useOwnCourses } from './own-courses'

/**
 * 'Enroll Now', which turns into '✓ Enrolled' at once. A script stores a visitor's course, so the
 * button waits for it; without scripts it is a form, which asks visitors to sign in.
 */
export function EnrollButton({ courseId }: { courseId: string }) {
  const nonce = use(ScriptNonce)
  const { enrollments, enroll } = useOwnCourses()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    enroll(courseId)
  }

  return (
    <form method="post" action={enrollmentsPath} onSubmit={submit}>
      <input type="hidden" name="courseIds" value={courseId} />
      <input type="hidden" name="page" value="1" />
      <Button
        type="submit"
        disabled={enrollments === null}
        className={`w-full noscript:hidden ${enrolledLook}`}
      >
        {/* A new key makes a new element, which drops whatever the script below has written. It can't be pressed itself: */}
        {/* browsers forget a press whose element goes before it ends. */}
        <span
          key={enrollments ? 'known' : 'html'}
          suppressHydrationWarning
          className="pointer-events-none"
        >
          {enrollments && isEnrolled(enrollments, courseId) ? '✓ Enrolled' : 'Enroll Now'}
        </span>
      </Button>
      <noscript>
        <Button type="submit" className="w-full">
          Enroll Now
        </Button>
      </noscript>
      {enrollments === null && <script nonce={nonce}>{textScript}</script>}
    </form>
  )
}

const enrolledLook =
  'in-data-[enrolled=true]:opacity-100! in-data-[enrolled=true]:cursor-default! in-data-[enrolled=true]:bg-good-soft in-data-[enrolled=true]:text-good in-data-[enrolled=true]:hover:bg-good-soft'

const textScript = `{const f=document.currentScript.parentElement;if(f.closest('[data-enrolled=true]'))f.querySelector('span').textContent='✓ Enrolled'}`

/**
 * In the place of `EnrollButton` for a course that has to be bought. A learner who has it sees the
 * same as there.
 */
export function BuyButton({ courseId }: { courseId: string }) {
  return (
    <>
      <ButtonLink to={`/Checkout/${courseId}`} className="w-full in-data-[learner=true]:hidden">
        Enroll Now
      </ButtonLink>
      <p className="hidden min-h-11 items-center justify-center rounded-control bg-good-soft px-5 py-2.5 font-semibold text-good leading-tight in-data-[learner=true]:flex">
        ✓ Enrolled
      </p>
    </>
  )
}

/** How a visitor who enrolled goes on; in the place of the price. */
export function CreateAccountLink({ courseId }: { courseId: string }) {
  return (
    <ButtonLink
      to={`/SignUp?${new URLSearchParams({ from: `/Learn/${courseId}` })}`}
      className="min-h-13 w-full py-1.5"
    >
      Create your account and start
    </ButtonLink>
  )
}

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

/**
 * The part of a page that depends on an enrollment. The HTML is the same for everyone, so a script
 * marks it before the first paint by what this browser remembers, and CSS shows the right half:
 * `in-data-[enrolled=true]:` for a course that was chosen, `in-data-[learner=true]:` for a course
 * of the account.
 */
export function EnrollmentMark({ courseId, children }: { courseId: string; children: ReactNode }) {
  const nonce = use(ScriptNonce)
  const { uid, enrollments } = useOwnCourses()

  return (
    <div
      data-course={courseId}
      data-enrolled={enrollments ? isEnrolled(enrollments, courseId) : undefined}
      data-learner={enrollments ? isLearnersCourse({ courseId, uid, enrollments }) : undefined}
      data-early={enrollments ? false : undefined}
      suppressHydrationWarning
    >
      {enrollments === null && <script nonce={nonce}>{markScript}</script>}
      {children}
    </div>
  )
}

/**
 * `early` until the page is hydrated, for a learner who opens the course without choosing a tab.
 */
const markScript = `try{const d=document.currentScript.parentElement.dataset,r=document.documentElement,e=JSON.parse(localStorage.getItem('enrollments')),l=e.uid!==null&&r.hasAttribute('data-signed-in');r.toggleAttribute('data-phone-bar',l);d.learner=l&&e.stored.includes(d.course);d.enrolled=e.waiting.concat(e.stored).includes(d.course);d.early=d.learner=='true'&&!/[?&]tab=/.test(location.search)}catch{}`
