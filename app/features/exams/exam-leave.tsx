import type { RefObject } from 'react'
import { ButtonLink } from '~/ui/button'
import type { AnswerStatus } from './exam-answer-saver'
import { answersOnLeaving, clockRuns } from './exam-messages'

type ExamLeaveProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  /** ISO date-time. */
  deadlineAt: string
  timezone: string
  /** The number of the question to go on with, or `review`. */
  from: string
  status: AnswerStatus
}

const looks: Partial<Record<AnswerStatus, string>> = {
  refused: 'text-warn',
  offline: 'text-warn',
  'signed-out': 'text-warn',
}

/** Asks before a learner leaves a running exam, and says what leaving means. */
export function ExamLeave({ headingRef, deadlineAt, timezone, from, status }: ExamLeaveProps) {
  const text = answersOnLeaving[status]
  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Leave the exam?
      </h2>
      <p className="mt-3">{clockRuns(deadlineAt, timezone)}</p>
      {text && <p className={`mt-2 ${looks[status] ?? 'text-muted'}`}>{text}</p>}
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={`?question=${from}`} preventScrollReset>
          Keep going
        </ButtonLink>
        <ButtonLink to="/Profile/current-courses" look="secondary">
          Leave exam
        </ButtonLink>
      </div>
    </section>
  )
}
