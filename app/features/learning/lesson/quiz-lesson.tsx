import { Check, X } from 'lucide-react'
import { type FormEvent, type MouseEvent, useId, useRef, useState } from 'react'
import { Button } from '~/ui/button'
import { countText } from '~/ui/count-text'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import type { QuizQuestion } from './lesson-page-data'

/** Questions with an answer at once. Nothing is graded: a quiz is done when every question was answered. */
export function QuizLesson({
  questions,
  answered,
  done,
  onAnswer,
}: {
  questions: readonly QuizQuestion[]
  answered: readonly string[]
  done: boolean
  onAnswer(questionId: string): void
}) {
  const open = questions.filter((question) => !answered.includes(question.id)).length
  return (
    <div>
      <ol className="flex flex-col gap-6">
        {questions.map((question, index) => (
          <li key={question.id}>
            <Question
              question={question}
              number={index + 1}
              count={questions.length}
              answeredBefore={answered.includes(question.id)}
              onAnswer={() => onAnswer(question.id)}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="mt-6 font-semibold">
        {open === 0
          ? done
            ? 'You’ve answered every question. Well done!'
            : 'You’ve answered every question. Mark this quiz as done when you’re ready.'
          : `${open} of ${countText(questions.length, 'question')} left`}
      </p>
    </div>
  )
}

/** `right` is null when only the answer was asked for. */
type Feedback = { chosen: readonly number[]; right: boolean | null }

function Question({
  question,
  number,
  count,
  answeredBefore,
  onAnswer,
}: {
  question: QuizQuestion
  number: number
  count: number
  answeredBefore: boolean
  onAnswer(): void
}) {
  const name = useId()
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const [missing, setMissing] = useState(false)
  const again = useRef<HTMLButtonElement>(null)
  useFocusOnChange(feedback !== null, again, { onlyIfLost: true })
  const several = question.options.filter((option) => option.correct).length > 1
  const check = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget).getAll(name).map(Number)
    setMissing(chosen.length === 0)
    if (chosen.length === 0) return
    const right = question.options.every((option, index) => option.correct === chosen.includes(index))
    setFeedback({ chosen, right })
    onAnswer()
  }
  /** A new choice clears the feedback. */
  const startAnew = () => {
    setMissing(false)
    setFeedback(null)
  }
  const tryAgain = (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget
    form?.reset()
    form?.querySelector('input')?.focus()
    setFeedback(null)
  }
  return (
    <form onSubmit={check} onChange={startAnew} className="card p-5 sm:p-7">
      <fieldset aria-describedby={`${name}-feedback`}>
        <legend className="w-full">
          <span className="flex items-center justify-between gap-4 text-sm font-medium text-muted">
            Question {number} of {count}
            {answeredBefore && (
              <span className="inline-flex items-center gap-1 text-good">
                <Check aria-hidden="true" size={16} /> Answered
              </span>
            )}
          </span>
          <span className="mt-1 block text-lg font-semibold">{question.question}</span>
        </legend>
        <div className="mt-4 flex flex-col gap-2">
          {question.options.map((option, index) => (
            <Option
              key={option.text}
              name={name}
              value={index}
              type={several ? 'checkbox' : 'radio'}
              text={option.text}
              verdict={feedback && verdictOf(option.correct, feedback.chosen.includes(index))}
            />
          ))}
        </div>
      </fieldset>
      <div id={`${name}-feedback`} role="status" className="mt-4 empty:mt-0">
        {missing && <p className="font-medium text-bad">Choose an answer first.</p>}
        {feedback && (
          <p className={`rounded-control p-4 ${feedback.right === false ? 'bg-warn-soft' : 'bg-good-soft'}`}>
            {feedback.right !== null && (
              <strong className={feedback.right ? 'text-good' : 'text-warn'}>
                {feedback.right ? 'Correct. ' : 'Not quite. '}
              </strong>
            )}
            {question.explanation}
          </p>
        )}
      </div>
      {/* With keys: one button that became another during its click would do what the other does. */}
      {feedback ? (
        <Button ref={again} key="again" look="secondary" className="mt-4" onClick={tryAgain}>
          Try again
        </Button>
      ) : (
        <div key="check" className="mt-4 flex flex-wrap gap-3 noscript:hidden">
          <Button type="submit">Check answer</Button>
          {answeredBefore && (
            <Button
              look="quiet"
              onClick={() => {
                setMissing(false)
                setFeedback({ chosen: [], right: null })
              }}
            >
              Show answer
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

type Verdict = 'right' | 'wrong' | null

/** What is right is shown in any case, what is wrong only where it was chosen. */
function verdictOf(correct: boolean, chosen: boolean): Verdict {
  if (correct) return 'right'
  return chosen ? 'wrong' : null
}

const verdictLooks = { right: 'border-good bg-good-soft', wrong: 'border-bad bg-bad-soft', none: 'border-line' }

function Option({
  name,
  value,
  type,
  text,
  verdict,
}: {
  name: string
  value: number
  type: 'radio' | 'checkbox'
  text: string
  verdict: Verdict
}) {
  return (
    <label
      className={`flex min-h-11 items-center gap-3 rounded-control border px-4 py-2.5 hover:border-edge has-checked:border-accent ${verdictLooks[verdict ?? 'none']}`}
    >
      <input type={type} name={name} value={value} className="size-5 shrink-0 accent-accent" />
      <span className="flex-1">{text}</span>
      {verdict === 'right' && (
        <span className="text-good">
          <Check aria-hidden="true" size={20} />
          <span className="sr-only">Correct answer</span>
        </span>
      )}
      {verdict === 'wrong' && (
        <span className="text-bad">
          <X aria-hidden="true" size={20} />
          <span className="sr-only">Incorrect</span>
        </span>
      )}
    </label>
  )
}
