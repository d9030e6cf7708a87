import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AskedQuestion } from '~/features/courses/questions/question-kinds'
import { answeredCount, questionLabel } from '../exam-messages'

type ExamNavigationProps = {
  questions: readonly AskedQuestion[]
  /** The number of the question that is shown; null on the review. */
  current: number | null
  /** By number, from 1. */
  isAnswered(question: number): boolean
  /**
   * The form of the question that is shown: its answer is saved on the way, also without a script.
   */
  formId: string | null
}

const shape =
  'relative grid h-11 w-full place-items-center rounded-control border font-semibold no-underline aria-[current=step]:border-accent aria-[current=step]:ring-2 aria-[current=step]:ring-accent'
const open = 'border-edge text-ink hover:border-ink'

/** Every question by number, with which are answered. */
export function ExamNavigation({ questions, current, isAnswered, formId }: ExamNavigationProps) {
  const answered = questions.filter((_, index) => isAnswered(index + 1)).length
  return (
    <nav aria-label="Questions" className="card p-5 lg:sticky lg:top-23">
      <p className="mb-3 text-muted text-sm">{answeredCount(answered, questions.length)}</p>
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-2">
        {questions.map((question, index) => (
          <li key={question.prompt}>
            <ExamStep
              to={String(index + 1)}
              formId={formId}
              current={index + 1 === current}
              label={questionLabel(index + 1, isAnswered(index + 1))}
              className={`${shape} ${isAnswered(index + 1) ? 'border-accent bg-accent-soft text-accent-strong' : open}`}
            >
              {index + 1}
              {isAnswered(index + 1) && (
                <Check aria-hidden="true" size={12} className="absolute top-1 right-1" />
              )}
            </ExamStep>
          </li>
        ))}
      </ol>
      <div className="mt-4">
        <ExamStep
          to="review"
          formId={formId}
          current={current === null}
          className={`${shape} ${open}`}
        >
          Review and submit
        </ExamStep>
      </div>
    </nav>
  )
}

type ExamStepProps = {
  /** The number of a question, `review` or `leave`. */
  to: string
  formId: string | null
  current: boolean
  label?: string
  className: string
  children: ReactNode
}

/** A way to another step of the exam; from a question it saves the answer that is there. */
export function ExamStep({ to, formId, current, label, className, children }: ExamStepProps) {
  const shared = {
    'aria-label': label,
    'aria-current': current ? ('step' as const) : undefined,
    className,
  }

  return formId ? (
    <button type="submit" form={formId} name="go" value={to} {...shared}>
      {children}
    </button>
  ) : (
    <Link
      to={to === 'leave' ? '?question=leave&from=review' : `?question=${to}`}
      preventScrollReset
      {...shared}
    >
      {children}
    </Link>
  )
}
