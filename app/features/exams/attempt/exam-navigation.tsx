import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AskedQuestion } from '~/features/courses/questions/question-kinds'

type ExamNavigationProps = {
  questions: readonly AskedQuestion[]
  /** The number of the displayed question, or null on the review. */
  current: number | null
  /** Questions are numbered from 1. */
  isAnswered(question: number): boolean
  /** The form of the displayed question. Its buttons save the answer, even without JavaScript. */
  formId: string | null
}

const stepClasses =
  'relative grid h-11 w-full place-items-center rounded-control border font-semibold no-underline aria-[current=step]:border-accent aria-[current=step]:ring-2 aria-[current=step]:ring-accent'
const unansweredClasses = 'border-edge text-ink hover:border-ink'

/** Links to every question and shows which of them are answered. */
export function ExamNavigation({ questions, current, isAnswered, formId }: ExamNavigationProps) {
  const answeredQuestions = questions.filter((_, index) => isAnswered(index + 1))

  return (
    <nav aria-label="Questions" className="card p-5 lg:sticky lg:top-23">
      <p className="mb-3 text-muted text-sm">
        {formatAnsweredCount(answeredQuestions.length, questions.length)}
      </p>
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-2">
        {questions.map((question, index) => (
          <li key={question.prompt}>
            <ExamStep
              to={String(index + 1)}
              formId={formId}
              isCurrent={index + 1 === current}
              label={formatQuestionLabel(index + 1, isAnswered(index + 1))}
              className={`${stepClasses} ${isAnswered(index + 1) ? 'border-accent bg-accent-soft text-accent-strong' : unansweredClasses}`}
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
          isCurrent={current === null}
          className={`${stepClasses} ${unansweredClasses}`}
        >
          Review and submit
        </ExamStep>
      </div>
    </nav>
  )
}

type ExamStepProps = {
  /** The number of a question, `review`, or `leave`. */
  to: string
  formId: string | null
  isCurrent: boolean
  label?: string
  className: string
  children: ReactNode
}

/**
 * A link to another step of the exam. On a question it is a button of the question's form, so that it
 * saves the answer.
 */
export function ExamStep({ to, formId, isCurrent, label, className, children }: ExamStepProps) {
  const sharedProps = {
    'aria-label': label,
    'aria-current': isCurrent ? ('step' as const) : undefined,
    className,
  }

  if (formId) {
    return (
      <button type="submit" form={formId} name="go" value={to} {...sharedProps}>
        {children}
      </button>
    )
  }

  const search = to === 'leave' ? '?question=leave&from=review' : `?question=${to}`

  return (
    <Link to={search} preventScrollReset {...sharedProps}>
      {children}
    </Link>
  )
}

function formatQuestionLabel(number: number, isAnswered: boolean): string {
  return isAnswered ? `Question ${number}, answered` : `Question ${number}, not answered`
}

function formatAnsweredCount(answered: number, count: number): ReactNode {
  return (
    <>
      <strong className="font-semibold text-ink">{answered}</strong> of {count} answered
    </>
  )
}
