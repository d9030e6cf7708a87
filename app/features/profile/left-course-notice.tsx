import { useEffect, useRef } from 'react'
import type { BrowserEnrollments } from '~/features/enrollment/browser-enrollments'
import { Notice } from '~/ui/notice'
import type { EnrolledCourse } from './learner-record'
import { courseLeft } from './profile-messages'

export type LeftCourse = Pick<EnrolledCourse, 'id' | 'name'> & { undone: boolean }

type LeftCourseNoticeProps = {
  course: LeftCourse
  /** Null until they are known. */
  enrollments: BrowserEnrollments | null
  onUndo(): void
}

/** After leaving a course, with the way back; the focus goes on here, as the button that was pressed is gone. */
export function LeftCourseNotice({ course, enrollments, onUndo }: LeftCourseNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  const { id, name, undone } = course
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each course that is left or taken up again.
  useEffect(() => notice.current?.focus(), [id, undone])
  return (
    <div ref={notice} role="status" tabIndex={-1} className="mb-6 rounded-control">
      {undone ? (
        <UndoneNotice course={course} enrollments={enrollments} />
      ) : (
        <Notice
          silent
          look="good"
          action={
            <button type="button" onClick={onUndo} className="min-h-11 px-2 font-semibold underline underline-offset-4">
              Undo
            </button>
          }
        >
          {courseLeft.left(name)}
        </Notice>
      )}
    </div>
  )
}

/** The account may refuse, or not be reached yet. */
function UndoneNotice({ course, enrollments }: Pick<LeftCourseNoticeProps, 'course' | 'enrollments'>) {
  if (enrollments?.stored.includes(course.id))
    return (
      <Notice silent look="good">
        {courseLeft.enrolledAgain(course.name)}
      </Notice>
    )
  if (enrollments?.waiting.includes(course.id))
    return (
      <Notice silent look="info">
        {courseLeft.moving(course.name)}
      </Notice>
    )
  return (
    <Notice silent look="bad">
      {enrollments?.refusal ?? courseLeft.refused(course.name)}
    </Notice>
  )
}
