import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import {
  type QuestionWithType,
  questionKinds,
  readAnswer,
} from '~/features/courses/questions/question-kinds'
import { Button } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import { formatQuestionPosition } from '../exam-messages'

type ExamQuestionFormProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  attemptId: string
  question: QuestionWithType
  /** The number of the question, from 1. */
  number: number
  count: number
  /** Whether the attempt is submitted, so that answers can't be changed any more. */
  isClosed: boolean
  value: LearnerAnswer
  onAnswer(value: LearnerAnswer, isTyping?: boolean): void
  /** Goes to another step: the number of a question, or `review`. */
  onGo(step: string): void
}

const hintId = 'exam-question-hint'

/** The id of the form element. Buttons outside the form refer to it. */
export const questionFormId = 'exam-question'

/** Returns the step after a question: the next question, or the review after the last one. */
export function getNextStep(number: number, count: number): string {
  return number < count ? String(number + 1) : 'review'
}

/**
 * A form with one question. Its buttons save the answer and go to another step. Without JavaScript,
 * the route action does both.
 */
export function ExamQuestionForm(props: ExamQuestionFormProps) {
  const { headingRef, attemptId, question, number, count, isClosed, value, onAnswer, onGo } = props
  const { hint, AnswerField } = questionKinds[question.type]
  const form = useRef<HTMLFormElement>(null)
  useAnswerBeforeHydration(form, props)
  const nextStep = getNextStep(number, count)

  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const button = (event.nativeEvent as SubmitEvent).submitter
    const isStepButton = button instanceof HTMLButtonElement && button.name === 'go'
    onGo(isStepButton ? button.value : nextStep)
  }

  return (
    <form
      ref={form}
      id={questionFormId}
      method="post"
      autoComplete="off"
      onSubmit={handleSubmit}
      className="card p-5 sm:p-8"
    >
      <input type="hidden" name="intent" value="answer" />
      <input type="hidden" name="attempt" value={attemptId} />
      <input type="hidden" name="question" value={number} />
      <input type="hidden" name="type" value={question.type} />
      <h2 ref={headingRef} tabIndex={-1} className="sr-only">
        {formatQuestionPosition(number, count)}
      </h2>
      <fieldset aria-describedby={hintId} disabled={isClosed}>
        <legend className="mb-2 font-semibold text-xl leading-snug">
          <FormulaText text={question.prompt} />
        </legend>
        <p id={hintId} className="mb-5 text-muted">
          {hint}
        </p>
        <AnswerField question={question} value={value} onAnswer={onAnswer} hintId={hintId} />
      </fieldset>
      <div className="mt-8 flex flex-wrap justify-between gap-3">
        {number > 1 ? (
          <Button type="submit" variant="secondary" name="go" value={String(number - 1)}>
            <ArrowLeft aria-hidden="true" size={18} /> Previous
          </Button>
        ) : (
          <span />
        )}
        <Button type="submit" name="go" value={nextStep}>
          {nextStep === 'review' ? 'Review' : 'Next'} <ArrowRight aria-hidden="true" size={18} />
        </Button>
      </div>
    </form>
  )
}

/**
 * Saves an answer that the learner gave before the page was hydrated. The form's autocompletion is
 * off, so that the browser doesn't restore earlier input after a reload.
 */
function useAnswerBeforeHydration(
  form: RefObject<HTMLFormElement | null>,
  { question, value, onAnswer }: ExamQuestionFormProps,
) {
  const isFirstRun = useRef(true)
  useEffect(() => {
    if (!isFirstRun.current || !form.current) {
      return
    }

    isFirstRun.current = false
    const kind = questionKinds[question.type]
    if (kind.isAnsweredByOrder) {
      // The buttons that move an item need JavaScript or a reload, so there is nothing to save.
      return
    }

    const fields = new FormData(form.current).getAll('answer').map(String)
    const enteredAnswer = readAnswer(question, kind.readFormFields(fields))
    if (enteredAnswer !== undefined && JSON.stringify(enteredAnswer) !== JSON.stringify(value)) {
      onAnswer(enteredAnswer)
    }
  }, [form, question, value, onAnswer])
}
