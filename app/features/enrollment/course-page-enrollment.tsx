import { type ReactNode, type SubmitEvent, use, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { ScriptNonce } from '~/ui/hooks'
import { findRefusal, isEnrolled, isEnrolledInAccount } from './browser-enrollments'
import { enrollmentsPath } from './course-choices'
import { enrollmentMessages } from './enrollment-messages'
import { useOwnCourses } from './own-courses'

/**
 * The parts of a course page that depend on the viewer's enrollment.
 *
 * The HTML of the page is the same for everyone. Before the first paint, small scripts read the
 * enrollments in this browser's storage and set attributes by which CSS displays the right parts.
 * After hydration, React takes over.
 */

type EnrollmentAttributesProps = { courseId: string; children: ReactNode }

/**
 * Tells CSS how the viewer is enrolled, by attributes of the element around its children:
 *
 * - `data-enrolled`: the viewer is enrolled, with an account or only in this browser.
 * - `data-learner`: the course belongs to the viewer's account.
 * - `data-lessons-pending`: the page will open with the learner's lessons, which only appear after
 *   hydration. It is not set if the URL names another tab of the page.
 *
 * CSS reads them by variants such as `in-data-[enrolled=true]:`.
 */
export function EnrollmentAttributes({ courseId, children }: EnrollmentAttributesProps) {
  const nonce = use(ScriptNonce)
  const { uid, enrollments } = useOwnCourses()

  return (
    <div
      data-course={courseId}
      data-enrolled={enrollments ? isEnrolled(enrollments, courseId) : undefined}
      data-learner={enrollments ? isEnrolledInAccount(enrollments, uid, courseId) : undefined}
      data-lessons-pending={enrollments ? false : undefined}
      suppressHydrationWarning
    >
      {enrollments === null && <script nonce={nonce}>{attributesScript}</script>}
      {children}
    </div>
  )
}

/**
 * Sets the attributes of `EnrollmentAttributes` before the first paint, and makes room for the
 * phone bar of a learner. Reads what `storeEnrollments` of `browser-enrollments.ts` has written:
 * `stored` lists the courses of the account, and `waiting` those that wait to be added to it.
 */
const attributesScript = `
try {
  const enrollments = JSON.parse(localStorage.getItem('enrollments'))
  const root = document.documentElement
  const isSignedIn = enrollments.uid !== null && root.hasAttribute('data-signed-in')
  root.toggleAttribute('data-phone-bar', isSignedIn)

  const attributes = document.currentScript.parentElement.dataset
  const courseId = attributes.course
  const isLearner = isSignedIn && enrollments.stored.includes(courseId)
  const hasChosenTab = /[?&]tab=/.test(location.search)
  attributes.learner = isLearner
  attributes.enrolled = [...enrollments.waiting, ...enrollments.stored].includes(courseId)
  attributes.lessonsPending = isLearner && !hasChosenTab
} catch {}
`

const enrolledText = '✓ Enrolled'

const enrolledStyle =
  'in-data-[enrolled=true]:opacity-100! in-data-[enrolled=true]:cursor-default! in-data-[enrolled=true]:bg-good-soft in-data-[enrolled=true]:text-good in-data-[enrolled=true]:hover:bg-good-soft'

/**
 * The button "Enroll Now", which changes to "✓ Enrolled" at once.
 *
 * The button is disabled until a script can store a visitor's course. Without JavaScript it submits
 * a form, and visitors are asked to sign in.
 */
export function EnrollButton({ courseId }: { courseId: string }) {
  const nonce = use(ScriptNonce)
  const { enrollments, enroll } = useOwnCourses()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    enroll(courseId)
  }

  return (
    <form method="post" action={enrollmentsPath} onSubmit={handleSubmit}>
      <input type="hidden" name="courseIds" value={courseId} />
      <Button
        type="submit"
        disabled={enrollments === null}
        className={`w-full noscript:hidden ${enrolledStyle}`}
      >
        {/* The key makes React create a new element, which drops the text that `labelScript` wrote. */}
        {/* The element ignores the pointer, because a click on an element that is replaced is lost. */}
        <span
          key={enrollments ? 'hydrated' : 'server-rendered'}
          suppressHydrationWarning
          className="pointer-events-none"
        >
          {enrollments && isEnrolled(enrollments, courseId) ? enrolledText : 'Enroll Now'}
        </span>
      </Button>
      <noscript>
        <Button type="submit" className="w-full">
          Enroll Now
        </Button>
      </noscript>
      {enrollments === null && <script nonce={nonce}>{labelScript}</script>}
    </form>
  )
}

/** Writes the label of an enrolled course into the button before the first paint. */
const labelScript = `
{
  const form = document.currentScript.parentElement
  if (form.closest('[data-enrolled=true]')) {
    form.querySelector('span').textContent = '${enrolledText}'
  }
}
`

/** Replaces `EnrollButton` on the page of a course that has to be bought. */
export function BuyButton({ courseId, isSalePaused }: { courseId: string; isSalePaused: boolean }) {
  return (
    <>
      {isSalePaused ? (
        <p className="in-data-[learner=true]:hidden">{enrollmentMessages.salePaused}</p>
      ) : (
        <ButtonLink to={`/Checkout/${courseId}`} className="w-full in-data-[learner=true]:hidden">
          Enroll Now
        </ButtonLink>
      )}
      <p className="hidden min-h-11 items-center justify-center rounded-control bg-good-soft px-5 py-2.5 font-semibold text-good leading-tight in-data-[learner=true]:flex">
        {enrolledText}
      </p>
    </>
  )
}

/** The next step of a visitor who is enrolled in this browser. It replaces the price. */
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

type EnrollmentNoteProps = {
  courseId: string
  /** Whether the learner has completed the course. Undefined until the progress has arrived. */
  isCompleted: boolean | undefined
  /** Whether the course has to be bought. */
  isForSale?: boolean
}

/**
 * The note below the button, which says where the enrollment is stored. It keeps its height, so
 * that nothing moves when the text changes.
 */
export function EnrollmentNote(props: EnrollmentNoteProps) {
  const note = useRef<HTMLParagraphElement>(null)
  return (
    <p
      ref={note}
      role="status"
      tabIndex={-1}
      className="min-h-[2lh] text-sm text-muted outline-none"
    >
      <EnrollmentNoteText {...props} onUndone={() => note.current?.focus()} />
    </p>
  )
}

type EnrollmentNoteTextProps = EnrollmentNoteProps & { onUndone(): void }

function EnrollmentNoteText({
  courseId,
  isCompleted,
  isForSale = false,
  onUndone,
}: EnrollmentNoteTextProps) {
  const { pathname, search } = useLocation()
  const { uid, enrollments, enroll } = useOwnCourses()
  const isCourseEnrolled = enrollments !== null && isEnrolled(enrollments, courseId)
  const refusalMessage = enrollments ? findRefusal(enrollments, courseId) : undefined
  if (!isCourseEnrolled && refusalMessage) {
    return refusalMessage
  }

  if (uid && enrollments?.waitingCourseIds.includes(courseId)) {
    return enrollmentMessages.enrollmentNotes.addingToAccount
  }

  if (uid && isCourseEnrolled) {
    return <AccountEnrollmentNote courseId={courseId} canLeave={isCompleted === false} />
  }

  if (uid && enrollments?.leftCourseId === courseId) {
    const undoLeaving = () => {
      enroll(courseId)
      onUndone()
    }

    return <LeftCourseNote onUndo={undoLeaving} />
  }

  // The other notes are for visitors, and a visitor can't enroll in a course that is for sale.
  if (uid || isForSale) {
    return null
  }

  if (!isCourseEnrolled) {
    return (
      <span className="in-data-[enrolled=true]:invisible">
        {enrollmentMessages.enrollmentNotes.noAccountNeeded}
      </span>
    )
  }

  const loginUrl = `/Login?${new URLSearchParams({ from: pathname + search })}`

  return (
    <>
      You’re enrolled in this browser. Have an account?{' '}
      <Link
        to={loginUrl}
        className="font-semibold text-ink underline underline-offset-2 hover:text-accent"
      >
        Sign in
      </Link>{' '}
      to add the course to it.
    </>
  )
}

function AccountEnrollmentNote({ courseId, canLeave }: { courseId: string; canLeave: boolean }) {
  const { leaveCourse } = useOwnCourses()
  const [isLeaving, setIsLeaving] = useState(false)
  const [problem, setProblem] = useState('')
  const handleLeave = async () => {
    if (isLeaving) {
      return
    }

    setIsLeaving(true)
    const leaveProblem = await leaveCourse(courseId)
    setIsLeaving(false)
    setProblem(leaveProblem ?? '')
  }

  return (
    <>
      {enrollmentMessages.enrollmentNotes.inAccount}{' '}
      {canLeave && (
        <button
          type="button"
          // The `disabled` attribute would make the button lose the focus.
          aria-disabled={isLeaving}
          onClick={handleLeave}
          className="inline-flex min-h-6 items-center underline underline-offset-2 hover:text-ink"
        >
          Leave course
        </button>
      )}
      {problem && <span className="block font-medium text-bad">{problem}</span>}
    </>
  )
}

function LeftCourseNote({ onUndo }: { onUndo(): void }) {
  return (
    <>
      {enrollmentMessages.enrollmentNotes.leftCourse}{' '}
      {/* biome-ignore lint/a11y/noAutofocus: the pressed button is gone, so this one gets its focus. */}
      <button type="button" autoFocus onClick={onUndo} className="link min-h-6">
        Undo
      </button>
    </>
  )
}
