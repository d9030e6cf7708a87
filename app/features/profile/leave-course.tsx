import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { BrowserEnrollments } from '~/features/enrollment/browser-enrollments'
import { enrollmentsPath } from '~/features/enrollment/course-choices'
import { Notice } from '~/ui/notice'
import type { EnrolledCourse } from './learner-record'
import { leaveCourseTexts } from './profile-messages'

type LeaveCourseFormProps = {
  courseId: string
  name: string
  /** @returns null, or a sentence that says why the learner stays enrolled */
  onLeave(): Promise<string | null>
}

/** Shows an unobtrusive button to leave a course. It also works without JavaScript. */
export function LeaveCourseForm({ courseId, name, onLeave }: LeaveCourseFormProps) {
  const [problem, setProblem] = useState('')

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem((await onLeave()) ?? '')
  }

  return (
    <form method="post" action={enrollmentsPath} onSubmit={handleSubmit}>
      <input type="hidden" name="courseIds" value={courseId} />
      <input type="hidden" name="leave" value="yes" />
      <button
        type="submit"
        aria-label={`Leave course: ${name}`}
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

export type LeftCourse = Pick<EnrolledCourse, 'id' | 'name'> & { isUndone: boolean }

type LeftCourseNoticeProps = {
  course: LeftCourse
  /** Null until the enrollments are loaded. */
  enrollments: BrowserEnrollments | null
  onUndo(): void
}

/**
 * Confirms that the learner has left a course and offers to undo that. The notice takes the focus,
 * because the button that was pressed is gone.
 */
export function LeftCourseNotice({ course, enrollments, onUndo }: LeftCourseNoticeProps) {
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
          {leaveCourseTexts.left(name)}
        </Notice>
      )}
    </div>
  )
}

/** Says whether the learner is enrolled again. The server may refuse or be out of reach. */
function UndoneNotice({
  course,
  enrollments,
}: Pick<LeftCourseNoticeProps, 'course' | 'enrollments'>) {
  if (enrollments?.stored.includes(course.id)) {
    return (
      <Notice silent variant="good">
        {leaveCourseTexts.enrolledAgain(course.name)}
      </Notice>
    )
  }

  if (enrollments?.waiting.includes(course.id)) {
    return (
      <Notice silent variant="info">
        {leaveCourseTexts.enrolling(course.name)}
      </Notice>
    )
  }

  return (
    <Notice silent variant="bad">
      {enrollments?.refusal ?? leaveCourseTexts.enrollmentRefused(course.name)}
    </Notice>
  )
}
