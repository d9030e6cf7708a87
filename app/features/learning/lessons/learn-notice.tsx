import { Info } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { lessonRefusals } from '~/features/enrollment/enrollment-messages'

/** Why a lesson's address redirected to the course page; the value of `?why=`. */
export type LessonRefusal = 'sign-in' | 'enroll' | 'no-material'

type LearnNoticeProps = {
  courseId: string
  /** As far as is known: 'visitor' enrolled in this browser, 'learner' with an account. */
  enrolled: 'visitor' | 'learner' | null
}

/** On the course's page: the reason why no lesson was shown, even if it no longer applies. */
export function LearnNotice({ courseId, enrolled }: LearnNoticeProps) {
  const [search] = useSearchParams()
  const why = search.get('why')
  if (why !== 'sign-in' && why !== 'enroll' && why !== 'no-material') {
    return null
  }

  if (enrolled === 'learner' && why !== 'no-material') {
    return null
  }

  return (
    <div className="border-line border-b bg-accent-soft">
      <p role="status" className="column flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
        <Info aria-hidden="true" size={20} className="shrink-0 text-accent-strong" />
        <span>{lessonRefusals[enrolled === 'visitor' ? 'enrolledHere' : why]}</span>
        {(why === 'sign-in' || enrolled === 'visitor') && (
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
