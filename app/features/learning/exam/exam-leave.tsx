import type { RefObject } from 'react'
import { ButtonLink } from '~/ui/button'
import { momentText } from '~/ui/date-text'

type ExamLeaveProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  /** ISO date-time. */
  deadlineAt: string
  timezone: string
  /** The number of the question to go on with, or `review`. */
  from: string
  /** The server has every answer. */
  saved: boolean
}

/** Asks before a learner leaves a running exam, and says what leaving means. */
export function ExamLeave({ headingRef, deadlineAt, timezone, from, saved }: ExamLeaveProps) {
  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Leave the exam?
      </h2>
      <p className="mt-3">
        <strong>The clock keeps running.</strong> You can come back until {momentText(deadlineAt, timezone)}. Then your
        answers are submitted as they are.
      </p>
      <p className={`mt-2 ${saved ? 'text-muted' : 'text-warn'}`}>
        {saved
          ? 'Your answers so far are saved.'
          : 'Some answers aren’t saved yet. They’re kept on this device: come back on it before time runs out.'}
      </p>
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
