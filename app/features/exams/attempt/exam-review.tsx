import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { AskedQuestion } from '~/features/courses/questions/question-kinds'
import { Button, ButtonLink } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import {
  answersOnLeaving,
  clockRuns,
  describeFailedRequest,
  submitUnanswered,
} from '../exam-messages'
import type { AnswerStatus } from './use-exam-answers'

type ExamReviewProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  attemptId: string
  questions: readonly AskedQuestion[]
  /** By number, from 1. */
  isAnswered(question: number): boolean
  onHandIn(): Promise<void>
}

/**
 * A review of all questions before submitting; with a script, a dialog asks about empty ones once
 * more.
 */
export function ExamReview({
  headingRef,
  attemptId,
  questions,
  isAnswered,
  onHandIn,
}: ExamReviewProps) {
  const [sending, setSending] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const missing = questions.flatMap((_, index) => (isAnswered(index + 1) ? [] : [index + 1]))
  const send = async () => {
    setSending(true)
    await onHandIn()
    setSending(false)
  }
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (missing.length > 0) {
      dialog.current?.showModal()
    } else {
      void send()
    }
  }

  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Review your answers
      </h2>
      <p className={`mt-2 ${missing.length > 0 ? 'font-medium text-warn' : 'text-muted'}`}>
        {describeFailedRequest(missing.length)}
      </p>
      <ol className="mt-5 divide-y divide-line border-line border-y">
        {questions.map(({ prompt }, index) => (
          <li key={prompt} className="flex items-center gap-4 py-2">
            <span className="w-6 shrink-0 text-muted tabular-nums">{index + 1}.</span>
            <Link
              to={`?question=${index + 1}`}
              preventScrollReset
              className="flex min-h-11 min-w-0 flex-1 items-center text-ink underline-offset-4 hover:underline"
            >
              <span className="line-clamp-2">
                <FormulaText text={prompt} />
              </span>
            </Link>
            <span
              className={`shrink-0 font-semibold text-sm ${isAnswered(index + 1) ? 'text-good' : 'text-warn'}`}
            >
              {isAnswered(index + 1) ? 'Answered' : 'Not answered'}
            </span>
          </li>
        ))}
      </ol>
      <form method="post" onSubmit={ask} className="mt-6 flex flex-wrap gap-3">
        <input type="hidden" name="intent" value="hand-in" />
        <input type="hidden" name="attempt" value={attemptId} />
        <Button type="submit" disabled={sending}>
          {sending ? 'Submitting...' : 'Submit exam'}
        </Button>
        <ButtonLink to={`?question=${missing[0] ?? 1}`} variant="secondary" preventScrollReset>
          {missing.length > 0 ? 'Go to the first unanswered question' : 'Back to questions'}
        </ButtonLink>
      </form>
      <SubmitDialog dialogRef={dialog} missing={missing.length} onSubmit={send} />
    </section>
  )
}

type SubmitDialogProps = {
  dialogRef: RefObject<HTMLDialogElement | null>
  /** How many questions have no answer. */
  missing: number
  onSubmit(): void
}

/** Asks before an exam with empty questions is submitted. */
function SubmitDialog({ dialogRef, missing, onSubmit }: SubmitDialogProps) {
  const close = () => dialogRef.current?.close()
  return (
    <dialog
      ref={dialogRef}
      aria-labelledby="submit-question"
      className="card m-auto w-[min(28rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
    >
      <h2 id="submit-question" className="font-bold text-xl">
        {submitUnanswered.question(missing)}
      </h2>
      <p className="mt-2 text-muted">{submitUnanswered.text}</p>
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end">
        <Button variant="secondary" onClick={close}>
          Keep working
        </Button>
        <Button
          onClick={() => {
            close()
            onSubmit()
          }}
        >
          Submit anyway
        </Button>
      </div>
    </dialog>
  )
}

type ExamLeaveProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  /** ISO date-time. */
  deadlineAt: string
  timezone: string
  /** The number of the question to go on with, or `review`. */
  from: string
  status: AnswerStatus
}

const textColors: Partial<Record<AnswerStatus, string>> = {
  refused: 'text-warn',
  offline: 'text-warn',
  'signed-out': 'text-warn',
}

/** Asks before a learner leaves a running exam, and explains the consequences. */
export function ExamLeave({ headingRef, deadlineAt, timezone, from, status }: ExamLeaveProps) {
  const text = answersOnLeaving[status]
  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Leave the exam?
      </h2>
      <p className="mt-3">{clockRuns(deadlineAt, timezone)}</p>
      {text && <p className={`mt-2 ${textColors[status] ?? 'text-muted'}`}>{text}</p>}
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={`?question=${from}`} preventScrollReset>
          Keep going
        </ButtonLink>
        <ButtonLink to="/Profile/current-courses" variant="secondary">
          Leave exam
        </ButtonLink>
      </div>
    </section>
  )
}
