import { type FormEvent, type RefObject, useState } from 'react'
import { Link } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { countText } from '~/ui/count-text'
import type { ShownQuestion } from './exam-question'

type ExamReviewProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  attemptId: string
  questions: readonly ShownQuestion[]
  /** By number, from 1. */
  isAnswered(question: number): boolean
  onHandIn(): Promise<void>
}

/** A review of all questions before submitting. */
export function ExamReview({ headingRef, attemptId, questions, isAnswered, onHandIn }: ExamReviewProps) {
  const [sending, setSending] = useState(false)
  const missing = questions.filter((_, index) => !isAnswered(index + 1)).length
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    await onHandIn()
    setSending(false)
  }
  return (
    <section className="card p-5 sm:p-8">
      <h2 ref={headingRef} tabIndex={-1} className="font-bold text-xl outline-none">
        Review your answers
      </h2>
      <p className={`mt-2 ${missing > 0 ? 'font-medium text-warn' : 'text-muted'}`}>{sentence(missing)}</p>
      <ol className="mt-5 divide-y divide-line border-line border-y">
        {questions.map(({ prompt }, index) => (
          <li key={prompt} className="flex items-center gap-4 py-2">
            <span className="w-6 shrink-0 text-muted tabular-nums">{index + 1}.</span>
            <Link
              to={`?question=${index + 1}`}
              preventScrollReset
              className="flex min-h-11 min-w-0 flex-1 items-center text-ink underline-offset-4 hover:underline"
            >
              <span className="line-clamp-2">{prompt}</span>
            </Link>
            <span className={`shrink-0 font-semibold text-sm ${isAnswered(index + 1) ? 'text-good' : 'text-warn'}`}>
              {isAnswered(index + 1) ? 'Answered' : 'Not answered'}
            </span>
          </li>
        ))}
      </ol>
      <form method="post" onSubmit={send} className="mt-6 flex flex-wrap gap-3">
        <input type="hidden" name="intent" value="hand-in" />
        <input type="hidden" name="attempt" value={attemptId} />
        <Button type="submit" disabled={sending}>
          {sending ? 'Submitting...' : 'Submit exam'}
        </Button>
        <ButtonLink to="?question=1" look="secondary" preventScrollReset>
          Back to questions
        </ButtonLink>
      </form>
    </section>
  )
}

function sentence(missing: number): string {
  if (missing === 0) return 'You’ve answered every question. You can’t change your answers after you submit.'
  return `${countText(missing, 'unanswered question')} will count as incorrect.`
}
