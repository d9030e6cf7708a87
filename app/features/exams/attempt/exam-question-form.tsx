import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import {
  type AskedQuestion,
  questionKinds,
  readAnswer,
} from '~/features/courses/questions/question-kinds'
import { Button } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import { questionPlace } from '../exam-messages'

type ExamQuestionFormProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  attemptId: string
  question: AskedQuestion
  /** From 1. */
  number: number
  count: number
  /** Handed in: nothing can be changed any more. */
  closed: boolean
  value: LearnerAnswer
  onAnswer(value: LearnerAnswer, typed?: boolean): void
  /** The number of a question, or `review`. */
  onGo(to: string): void
}

const hintId = 'exam-question-hint'

/** Of the form of the question that is shown. */
export const questionFormId = 'exam-question'

/** After a question: the next one, and the review after the last. */
export const nextStep = (number: number, count: number) =>
  number < count ? String(number + 1) : 'review'

/**
 * One question. Its buttons save and go on; with a script that happens here, without one on the
 * server.
 */
export function ExamQuestionForm(props: ExamQuestionFormProps) {
  const { headingRef, attemptId, question, number, count, closed, value, onAnswer, onGo } = props
  const { hint, AnswerField } = questionKinds[question.type]
  const form = useRef<HTMLFormElement>(null)
  useEarlyAnswer(form, props)
  const next = nextStep(number, count)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const button = (event.nativeEvent as SubmitEvent).submitter
    onGo(button instanceof HTMLButtonElement && button.name === 'go' ? button.value : next)
  }

  return (
    <form
      ref={form}
      id={questionFormId}
      method="post"
      autoComplete="off"
      onSubmit={send}
      className="card p-5 sm:p-8"
    >
      <input type="hidden" name="intent" value="answer" />
      <input type="hidden" name="attempt" value={attemptId} />
      <input type="hidden" name="question" value={number} />
      <input type="hidden" name="type" value={question.type} />
      <h2 ref={headingRef} tabIndex={-1} className="sr-only">
        {questionPlace(number, count)}
      </h2>
      <fieldset aria-describedby={hintId} disabled={closed}>
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
        <Button type="submit" name="go" value={next}>
          {next === 'review' ? 'Review' : 'Next'} <ArrowRight aria-hidden="true" size={18} />
        </Button>
      </div>
    </form>
  )
}

/**
 * Input from before hydration counts, too. Autocompletion is off, so that a reload doesn't restore
 * earlier input.
 */
function useEarlyAnswer(
  form: RefObject<HTMLFormElement | null>,
  { question, value, onAnswer }: ExamQuestionFormProps,
) {
  const first = useRef(true)
  useEffect(() => {
    if (!first.current || !form.current) {
      return
    }

    first.current = false
    const kind = questionKinds[question.type]
    if (kind.isAnsweredByOrder) {
      // The buttons that move an item need a script or a reload, so there is nothing to take over.
      return
    }

    const fields = new FormData(form.current).getAll('answer').map(String)
    const enteredAnswer = readAnswer(question, kind.readFormFields(fields))
    if (enteredAnswer !== undefined && JSON.stringify(enteredAnswer) !== JSON.stringify(value)) {
      onAnswer(enteredAnswer)
    }
  }, [form, question, value, onAnswer])
}
