import { Info } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { enrollmentMessages } from '~/features/enrollment/enrollment-messages'
import type { CourseEnrollment } from '~/features/enrollment/use-course-enrollment'

/** Why the URL of a lesson redirected to the course page. It is the value of `?why=`. */
export type LessonRefusal = 'sign-in' | 'enroll' | 'no-material'

type LessonRefusalNoticeProps = { courseId: string; enrollment: CourseEnrollment }

/** Says on the course page why the lesson was not displayed. The reason may no longer apply. */
export function LessonRefusalNotice({ courseId, enrollment }: LessonRefusalNoticeProps) {
  const [search] = useSearchParams()
  const refusal = search.get('why')
  if (refusal !== 'sign-in' && refusal !== 'enroll' && refusal !== 'no-material') {
    return null
  }

  const isEnrolledLearner = enrollment === 'in-account' || enrollment === 'adding-to-account'
  const isOutdated = isEnrolledLearner && refusal !== 'no-material'
  if (isOutdated) {
    return null
  }

  const isEnrolledVisitor = enrollment === 'in-browser'

  return (
    <div className="border-line border-b bg-accent-soft">
      <p role="status" className="column flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
        <Info aria-hidden="true" size={20} className="shrink-0 text-accent-strong" />
        <span>
          {enrollmentMessages.lessonRefusals[isEnrolledVisitor ? 'enrolledHere' : refusal]}
        </span>
        {(refusal === 'sign-in' || isEnrolledVisitor) && (
          <Link
            to={`/Login?${new URLSearchParams({ from: `/Learn/${courseId}` })}`}
            className="font-semibold underline underline-offset-2"
          >
            Sign in
          </Link>
        )}
      </p>
    </div>
  )
}
