import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { QuestionWithType } from '~/features/courses/questions/question-kinds'

type ExamNavigationProps = {
  questions: readonly QuestionWithType[]
  /** The number of the displayed question, or null on the review. */
  currentNumber: number | null
  /** Questions are numbered from 1. */
  isAnswered(questionNumber: number): boolean
  /** The form of the displayed question. Its buttons save the answer, even without JavaScript. */
  formId: string | null
}

const stepClasses =
  'relative grid h-11 w-full place-items-center rounded-control border font-semibold no-underline aria-[current=step]:border-accent aria-[current=step]:ring-2 aria-[current=step]:ring-accent'
const unansweredClasses = 'border-edge text-ink hover:border-ink'

/** Links to every question and shows which of them are answered. */
export function ExamNavigation({
  questions,
  currentNumber,
  isAnswered,
  formId,
}: ExamNavigationProps) {
  const answeredQuestions = questions.filter((_, index) => isAnswered(index + 1))

  return (
    <nav aria-label="Questions" className="card p-5 lg:sticky lg:top-23">
      <p className="mb-3 text-muted text-sm">
        {formatAnsweredCount(answeredQuestions.length, questions.length)}
      </p>
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-2">
        {questions.map((question, index) => (
          <li key={question.prompt}>
            <ExamStepLink
              step={String(index + 1)}
              formId={formId}
              isCurrent={index + 1 === currentNumber}
              label={formatQuestionLabel(index + 1, isAnswered(index + 1))}
              className={`${stepClasses} ${isAnswered(index + 1) ? 'border-accent bg-accent-soft text-accent-strong' : unansweredClasses}`}
            >
              {index + 1}
              {isAnswered(index + 1) && (
                <Check aria-hidden="true" size={12} className="absolute top-1 right-1" />
              )}
            </ExamStepLink>
          </li>
        ))}
      </ol>
      <div className="mt-4">
        <ExamStepLink
          step="review"
          formId={formId}
          isCurrent={currentNumber === null}
          className={`${stepClasses} ${unansweredClasses}`}
        >
          Review and submit
        </ExamStepLink>
      </div>
    </nav>
  )
}

type ExamStepLinkProps = {
  /** The number of a question, `review`, or `leave`. */
  step: string
  formId: string | null
  isCurrent: boolean
  label?: string
  className: string
  children: ReactNode
}

/**
 * A link to another step of the exam. On a question it is a button of the question's form, so that
 * it saves the answer.
 */
export function ExamStepLink({
  step,
  formId,
  isCurrent,
  label,
  className,
  children,
}: ExamStepLinkProps) {
  const sharedProps = {
    'aria-label': label,
    'aria-current': isCurrent ? ('step' as const) : undefined,
    className,
  }

  if (formId) {
    return (
      <button type="submit" form={formId} name="go" value={step} {...sharedProps}>
        {children}
      </button>
    )
  }

  const search = step === 'leave' ? '?question=leave&from=review' : `?question=${step}`

  return (
    <Link to={search} preventScrollReset {...sharedProps}>
      {children}
    </Link>
  )
}

function formatQuestionLabel(questionNumber: number, isAnswered: boolean): string {
  return isAnswered
    ? `Question ${questionNumber}, answered`
    : `Question ${questionNumber}, not answered`
}

function formatAnsweredCount(answeredCount: number, questionCount: number): ReactNode {
  return (
    <>
      <strong className="font-semibold text-ink">{answeredCount}</strong> of {questionCount}{' '}
      answered
    </>
  )
}
