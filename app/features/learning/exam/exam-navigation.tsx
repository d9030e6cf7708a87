import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ShownQuestion } from './exam-question'

type ExamNavigationProps = {
  questions: readonly ShownQuestion[]
  /** Index; null on the review. */
  current: number | null
  /** By number, from 1. */
  isAnswered(question: number): boolean
  /** The form of the question that is shown: its answer is saved on the way, also without a script. */
  formId: string | null
}

/** Every question by number, with which are answered. */
export function ExamNavigation({ questions, current, isAnswered, formId }: ExamNavigationProps) {
  const answered = questions.filter((_, index) => isAnswered(index + 1)).length
  return (
    <nav aria-label="Questions" className="card p-5 lg:sticky lg:top-24">
      <p className="mb-3 text-muted text-sm">
        <strong className="font-semibold text-ink">{answered}</strong> of {questions.length} answered
      </p>
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-2">
        {questions.map((question, index) => (
          <li key={question.prompt}>
            <Step
              to={String(index + 1)}
              formId={formId}
              current={index === current}
              label={`Question ${index + 1}, ${isAnswered(index + 1) ? 'answered' : 'not answered'}`}
              look={
                isAnswered(index + 1)
                  ? 'border-accent bg-accent-soft text-accent-strong'
                  : 'border-edge text-ink hover:border-ink'
              }
            >
              {index + 1}
              {isAnswered(index + 1) && <Check aria-hidden="true" size={12} className="absolute top-1 right-1" />}
            </Step>
          </li>
        ))}
      </ol>
      <div className="mt-4">
        <Step to="review" formId={formId} current={current === null} look="border-edge text-ink hover:border-ink">
          Review and submit
        </Step>
      </div>
    </nav>
  )
}

type StepProps = {
  to: string
  formId: string | null
  current: boolean
  label?: string
  look: string
  children: ReactNode
}

function Step({ to, formId, current, label, look, children }: StepProps) {
  const shared = {
    'aria-label': label,
    'aria-current': current ? ('step' as const) : undefined,
    className: `relative grid h-11 w-full place-items-center rounded-control border font-semibold no-underline aria-[current=step]:border-accent aria-[current=step]:ring-2 aria-[current=step]:ring-accent ${look}`,
  }
  return formId ? (
    <button type="submit" form={formId} name="go" value={to} {...shared}>
      {children}
    </button>
  ) : (
    <Link to={`?question=${to}`} preventScrollReset {...shared}>
      {children}
    </Link>
  )
}
