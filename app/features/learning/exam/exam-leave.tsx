import type { RefObject } from 'react'
import { ButtonLink } from '~/ui/button'
import { momentText } from '~/ui/date-text'
import type { AnswerStatus } from './exam-answer-saver'

type ExamLeaveProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  /** ISO date-time. */
  deadlineAt: string
  timezone: string
  /** The number of the question to go on with, or `review`. */
  from: string
  status: AnswerStatus
}

const kept = {
  text: 'Some answers aren’t saved yet. They’re kept on this device. Come back on this device before time runs out.',
  look: 'text-warn',
}

/** The notices above say that an exam is over. */
const states: Record<AnswerStatus, { text: string; look: string }> = {
  saved: { text: 'Your answers so far are saved.', look: 'text-muted' },
  saving: { text: 'Saving your answers...', look: 'text-muted' },
  closed: { text: '', look: 'text-muted' },
  refused: { text: 'Some answers couldn’t be saved. Go back and enter them again.', look: 'text-warn' },
  offline: kept,
  'signed-out': kept,
}

/** Asks before a learner leaves a running exam, and says what leaving means. */
export function ExamLeave({ headingRef, deadlineAt, timezone, from, status }: ExamLeaveProps) {
  const { text, look } = states[status]
  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Leave the exam?
      </h2>
      <p className="mt-3">
        <strong>The clock keeps running.</strong> You can come back until {momentText(deadlineAt, timezone)}. Then your
        answers are submitted as they are.
      </p>
      {text && <p className={`mt-2 ${look}`}>{text}</p>}
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
