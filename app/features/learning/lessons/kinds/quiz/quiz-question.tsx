import { ArrowRight, Check, Lightbulb, X } from 'lucide-react'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import {
  chooseFirst,
  explainedIn as explainedInText,
  judgments,
  questionPlace,
} from '../../lesson-messages'
import type { QuizQuestion as Question } from './quiz-material.server'
import {
  chooseOption,
  getRunStage,
  getVerdict,
  isOver,
  isRightChoice,
  newRun,
  type QuestionRun,
  type RunStage,
  type Verdict,
} from './quiz-run'

type QuizQuestionProps = {
  question: Question
  number: number
  count: number
  /** Now or on an earlier visit. */
  answered: boolean
  run: QuestionRun
  /** The lesson's place that explains it. */
  explainedIn: { to: string; title: string } | null
  onChange(run: QuestionRun): void
  onTry(right: boolean): void
  onContinue(): void
}

export function QuizQuestion(props: QuizQuestionProps) {
  const { question, number, count, answered, run, onChange, onTry, onContinue } = props
  const name = useId()
  const [missing, setMissing] = useState(false)
  const stage = getRunStage(run)
  const several = question.options.filter((option) => option.correct).length > 1
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isOver(stage)) {
      return onContinue()
    }

    setMissing(run.chosen.length === 0)
    if (run.chosen.length === 0) {
      return
    }

    const right = isRightChoice(question.options, run.chosen)
    onChange({ ...run, tries: [...run.tries, right], judged: true })
    onTry(right)
  }

  return (
    <form onSubmit={submit} className="card p-5 sm:p-7 print:break-inside-avoid">
      <fieldset
        data-focus
        tabIndex={-1}
        aria-describedby={`${name}-feedback`}
        className="outline-none"
      >
        <legend className="w-full">
          <span className="flex items-center justify-between gap-4 text-sm font-medium text-muted">
            {questionPlace(number, count)}
            <AnsweredMark run={run} answered={answered} />
          </span>
          <span dir="auto" className="mt-1 block text-lg font-semibold">
            <FormulaText text={question.question} />
          </span>
        </legend>
        <div className="mt-4 flex flex-col gap-2">
          {question.options.map(({ text, correct }) => {
            const chosen = run.chosen.includes(text)
            return (
              <QuizOption
                key={text}
                name={name}
                text={text}
                type={several ? 'checkbox' : 'radio'}
                chosen={chosen}
                verdict={getVerdict(stage, { correct, chosen: run.judged && chosen, several })}
                onChoose={() => {
                  setMissing(false)
                  onChange(chooseOption(run, text, several))
                }}
              />
            )
          })}
        </div>
      </fieldset>
      {question.hint && !isOver(stage) && <Hint text={question.hint} />}
      <div id={`${name}-feedback`} role="status" className="mt-4 empty:mt-0">
        {missing && <p className="font-medium text-bad">{chooseFirst}</p>}
        {!missing && <QuizFeedback {...props} stage={stage} />}
      </div>
      <QuizButtons {...props} stage={stage} />
    </form>
  )
}

type StageProps = { stage: RunStage }

/**
 * Their keys make React draw new buttons, so that a click never triggers what the next button does.
 */
function QuizButtons({ answered, run, stage, onChange }: QuizQuestionProps & StageProps) {
  const goOn = useRef<HTMLButtonElement>(null)
  const over = isOver(stage)
  useFocusOnChange(over, goOn, { onlyIfLost: true })
  if (over) {
    return (
      <div key="over" className="mt-4 flex flex-wrap gap-3 noscript:hidden print:hidden">
        <Button
          ref={goOn}
          type="submit"
          // The second half of a double click on 'Check answer' is no wish to go on.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          Continue <ArrowRight aria-hidden="true" size={18} />
        </Button>
        <Button
          variant="quiet"
          onClick={({ currentTarget }) => {
            onChange(newRun)
            currentTarget.form?.querySelector('input')?.focus()
          }}
        >
          Try again
        </Button>
      </div>
    )
  }

  return (
    <div key="check" className="mt-4 flex flex-wrap gap-3 noscript:hidden print:hidden">
      <Button type="submit">Check answer</Button>
      {answered && (
        <Button variant="quiet" onClick={() => onChange({ ...run, solutionAsked: true })}>
          Show answer
        </Button>
      )}
    </div>
  )
}

/** Only a right answer is shown as a success. */
export function AnsweredMark({ run, answered }: Pick<QuizQuestionProps, 'run' | 'answered'>) {
  if (!answered) {
    return null
  }

  const right = getRunStage(run) === 'right'

  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1 text-sm font-medium ${right ? 'text-good' : 'text-muted'}`}
    >
      {right && <Check aria-hidden="true" size={16} />} Answered
    </span>
  )
}

/** Opens without a script, too. */
function Hint({ text }: { text: string }) {
  return (
    <details className="mt-3 print:hidden">
      <summary className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent underline-offset-2 hover:underline">
        <Lightbulb aria-hidden="true" size={18} /> Hint
      </summary>
      <p dir="auto" className="rounded-control bg-sunken p-4">
        <FormulaText text={text} />
      </p>
    </details>
  )
}

const colors = {
  right: 'border-good bg-good-soft',
  wrong: 'border-bad bg-bad-soft',
  none: 'border-line',
}

type QuizOptionProps = {
  name: string
  text: string
  type: 'checkbox' | 'radio'
  chosen: boolean
  verdict: Verdict
  onChoose(): void
}

function QuizOption({ name, text, type, chosen, verdict, onChoose }: QuizOptionProps) {
  return (
    <label
      dir="auto"
      className={`flex min-h-11 items-center gap-3 rounded-control border px-4 py-2.5 hover:border-edge has-checked:border-accent ${colors[verdict ?? 'none']}`}
    >
      <input
        type={type}
        name={name}
        value={text}
        checked={chosen}
        onChange={onChoose}
        className="size-5 shrink-0 accent-accent"
      />
      <span className="flex-1">
        <FormulaText text={text} />
      </span>
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

type QuizFeedbackProps = Pick<QuizQuestionProps, 'run' | 'question' | 'explainedIn'> & StageProps

/** Feedback on an answer; before the solution, only a link to the place that explains it. */
function QuizFeedback({ stage, run, question, explainedIn }: QuizFeedbackProps) {
  if (stage === 'open') {
    return null
  }

  const good = stage === 'right' || run.tries.length === 0

  return (
    <div className={`rounded-control p-4 ${good ? 'bg-good-soft' : 'bg-warn-soft'}`}>
      <p dir="auto">
        <Judgment stage={stage} run={run} />{' '}
        {stage !== 'second-try' && <FormulaText text={question.explanation} />}
      </p>
      {explainedIn && (
        <p className="mt-2">
          <Link to={explainedIn.to} className="link">
            {explainedInText(explainedIn.title)}
          </Link>
        </p>
      )}
    </div>
  )
}

/** Empty if only the solution was requested. */
function Judgment({ stage, run }: Pick<QuizQuestionProps, 'run'> & StageProps) {
  if (stage === 'right') {
    return (
      <strong className="text-good">
        {run.tries.length === 1 ? judgments.right : judgments.rightThisTime}
      </strong>
    )
  }

  if (run.tries.length === 0) {
    return null
  }

  return (
    <>
      <strong className="text-warn">{judgments.wrong}</strong>{' '}
      {stage === 'second-try' && judgments.oneMoreTry}
    </>
  )
}
