import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { QuestionWithType } from '~/features/courses/questions/question-kinds'
import { Button, ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'
import { formatDateTime } from '~/ui/format-date'
import { FormulaText } from '~/ui/formula-text'
import { examMessages } from '../exam-messages'
import type { AnswerStatus } from '../exam-page-data'

type ExamReviewProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  attemptId: string
  questions: readonly QuestionWithType[]
  /** Questions are numbered from 1. */
  isAnswered(questionNumber: number): boolean
  onSubmit(): Promise<void>
}

/**
 * Lists all questions before the exam is submitted. With JavaScript, a dialog asks again if some
 * are unanswered.
 */
export function ExamReview({
  headingRef,
  attemptId,
  questions,
  isAnswered,
  onSubmit,
}: ExamReviewProps) {
  const [isSubmitting, setIsSubmitting] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const unansweredNumbers = questions
    .map((_, index) => index + 1)
    .filter((number) => !isAnswered(number))
  const hasUnanswered = unansweredNumbers.length > 0

  const submit = async () => {
    setIsSubmitting(true)
    await onSubmit()
    setIsSubmitting(false)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (hasUnanswered) {
      dialog.current?.showModal()
    } else {
      void submit()
    }
  }

  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Review your answers
      </h2>
      <p className={`mt-2 ${hasUnanswered ? 'font-medium text-warn' : 'text-muted'}`}>
        {describeUnansweredQuestions(unansweredNumbers.length)}
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
      <form method="post" onSubmit={handleSubmit} className="mt-6 flex flex-wrap gap-3">
        <input type="hidden" name="intent" value="hand-in" />
        <input type="hidden" name="attempt" value={attemptId} />
        <Button type="submit" disabled={isSubmitting}>
          {isSubmitting ? 'Submitting...' : 'Submit exam'}
        </Button>
        <ButtonLink
          to={`?question=${unansweredNumbers[0] ?? 1}`}
          variant="secondary"
          preventScrollReset
        >
          {hasUnanswered ? 'Go to the first unanswered question' : 'Back to questions'}
        </ButtonLink>
      </form>
      <SubmitDialog
        dialogRef={dialog}
        unansweredCount={unansweredNumbers.length}
        onSubmit={submit}
      />
    </section>
  )
}

type SubmitDialogProps = {
  dialogRef: RefObject<HTMLDialogElement | null>
  unansweredCount: number
  onSubmit(): void
}

/** Asks before an exam with unanswered questions is submitted. */
function SubmitDialog({ dialogRef, unansweredCount, onSubmit }: SubmitDialogProps) {
  const close = () => dialogRef.current?.close()
  return (
    <dialog
      ref={dialogRef}
      aria-labelledby="submit-question"
      className="card m-auto w-[min(28rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
    >
      <h2 id="submit-question" className="font-bold text-xl">
        {examMessages.unansweredDialog.question(unansweredCount)}
      </h2>
      <p className="mt-2 text-muted">{examMessages.unansweredDialog.text}</p>
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

type LeaveExamProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  /** The deadline as an ISO date-time. */
  deadlineAt: string
  timezone: string
  /** The number of the question to return to, or `review`. */
  returnStep: string
  status: AnswerStatus
}

const textColors: Partial<Record<AnswerStatus, string>> = {
  refused: 'text-warn',
  offline: 'text-warn',
  'signed-out': 'text-warn',
}

/** Asks before a learner leaves an exam in progress, and explains the consequences. */
export function LeaveExam({
  headingRef,
  deadlineAt,
  timezone,
  returnStep,
  status,
}: LeaveExamProps) {
  const text = examMessages.leavingMessages[status]
  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Leave the exam?
      </h2>
      <p className="mt-3">{clockKeepsRunningNotice(deadlineAt, timezone)}</p>
      {text && <p className={`mt-2 ${textColors[status] ?? 'text-muted'}`}>{text}</p>}
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={`?question=${returnStep}`} preventScrollReset>
          Keep going
        </ButtonLink>
        <ButtonLink to="/Profile/current-courses" variant="secondary">
          Leave exam
        </ButtonLink>
      </div>
    </section>
  )
}

function describeUnansweredQuestions(count: number): string {
  if (count === 0) {
    return 'You’ve answered every question. You can’t change your answers after you submit.'
  }

  return byCount(
    count,
    '1 unanswered question will count as incorrect. You can’t change your answers after you submit.',
    `${count} unanswered questions will count as incorrect. You can’t change your answers after you submit.`,
  )
}

function clockKeepsRunningNotice(deadlineAt: string, timezone: string): ReactNode {
  return (
    <>
      <strong>The clock keeps running.</strong> You can come back until{' '}
      {formatDateTime(deadlineAt, timezone)}. Then your answers are submitted as they are.
    </>
  )
}
