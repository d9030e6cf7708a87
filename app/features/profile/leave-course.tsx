import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { type BrowserEnrollments, findRefusal } from '~/features/enrollment/browser-enrollments'
import { enrollmentsPath } from '~/features/enrollment/course-choices'
import { useOwnCourses } from '~/features/enrollment/own-courses'
import { Notice } from '~/ui/notice'
import type { EnrolledCourse } from './learner-record'
import { profileMessages } from './profile-messages'

/** A course that the learner has just left. They can undo that until they leave another course. */
type RecentlyLeftCourse = Pick<EnrolledCourse, 'id' | 'name'> & { isUndone: boolean }

/** Returns the functions that leave a course and undo that, and the course that was left last. */
export function useLeaveCourse() {
  const ownCourses = useOwnCourses()
  const [recentlyLeftCourse, setRecentlyLeftCourse] = useState<RecentlyLeftCourse | null>(null)
  const { revalidate } = useRevalidator()

  const leaveCourse = async ({ id, name }: EnrolledCourse) => {
    const problem = await ownCourses.leaveCourse(id)
    if (problem !== null) {
      return problem
    }

    setRecentlyLeftCourse({ id, name, isUndone: false })
    await revalidate()
    return null
  }

  const undoLeaving = () => {
    if (!recentlyLeftCourse) {
      return
    }

    setRecentlyLeftCourse({ ...recentlyLeftCourse, isUndone: true })
    ownCourses.enroll(recentlyLeftCourse.id)
  }

  return { recentlyLeftCourse, leaveCourse, undoLeaving }
}

type LeaveCourseFormProps = {
  courseId: string
  courseName: string
  /** Returns null, or a sentence that says why the learner stays enrolled. */
  onLeave(): Promise<string | null>
}

/** Shows an unobtrusive button to leave a course. It also works without JavaScript. */
export function LeaveCourseForm({ courseId, courseName, onLeave }: LeaveCourseFormProps) {
  const [problem, setProblem] = useState<string | null>(null)

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(await onLeave())
  }

  return (
    <form method="post" action={enrollmentsPath} onSubmit={handleSubmit}>
      <input type="hidden" name="courseIds" value={courseId} />
      <input type="hidden" name="leave" value="yes" />
      <button
        type="submit"
        aria-label={`Leave course: ${courseName}`}
        className="min-h-6 text-muted underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        Leave course
      </button>
      {problem && (
        <p role="alert" className="font-medium text-bad">
          {problem}
        </p>
      )}
    </form>
  )
}

type LeaveCourseNoticeProps = {
  course: RecentlyLeftCourse
  /** Null until the enrollments are loaded. */
  enrollments: BrowserEnrollments | null
  onUndo(): void
}

/**
 * Confirms that the learner has left a course and offers to undo that. The notice takes the focus,
 * because the button that was pressed is gone.
 */
export function LeaveCourseNotice({ course, enrollments, onUndo }: LeaveCourseNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  const { id, name, isUndone } = course
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus for each course, and again after undo.
  useEffect(() => notice.current?.focus(), [id, isUndone])

  return (
    <div ref={notice} role="status" tabIndex={-1} className="mb-6 rounded-control">
      {isUndone ? (
        <UndoneNotice course={course} enrollments={enrollments} />
      ) : (
        <Notice
          silent
          variant="good"
          action={
            <button
              type="button"
              onClick={onUndo}
              className="min-h-11 px-2 font-semibold underline underline-offset-4"
            >
              Undo
            </button>
          }
        >
          {profileMessages.leaveCourse.left(name)}
        </Notice>
      )}
    </div>
  )
}

/** Says whether the learner is enrolled again. The server may refuse or be out of reach. */
function UndoneNotice({
  course,
  enrollments,
}: Pick<LeaveCourseNoticeProps, 'course' | 'enrollments'>) {
  if (enrollments?.accountCourseIds.includes(course.id)) {
    return (
      <Notice silent variant="good">
        {profileMessages.leaveCourse.enrolledAgain(course.name)}
      </Notice>
    )
  }

  if (enrollments?.waitingCourseIds.includes(course.id)) {
    return (
      <Notice silent variant="info">
        {profileMessages.leaveCourse.enrolling(course.name)}
      </Notice>
    )
  }

  const refusal = enrollments ? findRefusal(enrollments, course.id) : undefined

  return (
    <Notice silent variant="bad">
      {refusal ?? profileMessages.leaveCourse.enrollmentRefused(course.name)}
    </Notice>
  )
}
