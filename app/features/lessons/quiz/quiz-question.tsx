import { Check, Lightbulb, X } from 'lucide-react'
import { type FormEvent, type MouseEvent, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { chooseFirst, explainedIn as explainedInText, judgments, questionPlace } from '../lesson-messages'
import type { QuizQuestion as Question } from '../lesson-page-data'
import { isRightChoice, type QuestionRun, type RunStage, stageOf, type Verdict, verdictOf } from './quiz-rules'

type QuizQuestionProps = Omit<QuizFeedbackProps, 'stage'> & {
  number: number
  count: number
  /** Now or on an earlier visit. */
  answered: boolean
  /** @param chosen texts of options. */
  onTry(right: boolean, chosen: readonly string[]): void
  /** Another choice after a wrong first try. */
  onChooseAgain(): void
  onSolution(): void
  onRestart(): void
}

export function QuizQuestion(props: QuizQuestionProps) {
  const { question, number, count, answered, run } = props
  const { name, chosenAtFirst, missing, check, change } = useAnswering(props)
  const stage = stageOf(run)
  const several = question.options.filter((option) => option.correct).length > 1
  return (
    <form onSubmit={check} onChange={change} className="card p-5 sm:p-7 print:break-inside-avoid">
      <fieldset aria-describedby={`${name}-feedback`}>
        <legend className="w-full">
          <QuestionNumber number={number} count={count} answered={answered} right={stage === 'right'} />
          <span className="mt-1 block text-lg font-semibold">
            <FormulaText text={question.question} />
          </span>
        </legend>
        <div className="mt-4 flex flex-col gap-2">
          {question.options.map((option) => (
            <QuizOption
              key={option.text}
              name={name}
              value={option.text}
              several={several}
              chosenAtFirst={chosenAtFirst.includes(option.text)}
              text={option.text}
              verdict={verdictOf(stage, { correct: option.correct, chosen: run.chosen.includes(option.text), several })}
            />
          ))}
        </div>
      </fieldset>
      {question.hint && !isOver(stage) && <Hint text={question.hint} />}
      <div id={`${name}-feedback`} role="status" className="mt-4 empty:mt-0">
        {missing && <p className="font-medium text-bad">{chooseFirst}</p>}
        {!missing && <QuizFeedback stage={stage} {...props} />}
      </div>
      <QuizButtons {...props} stage={stage} onChange={change} />
    </form>
  )
}

const isOver = (stage: RunStage) => stage === 'right' || stage === 'solution'

/** The chosen options, and the handlers to check and to choose again. */
function useAnswering({ question, run, onTry, onChooseAgain, onRestart }: QuizQuestionProps) {
  const name = useId()
  const [chosenAtFirst] = useState(run.chosen)
  const [missing, setMissing] = useState(false)
  const check = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget).getAll(name).map(String)
    setMissing(chosen.length === 0)
    if (chosen.length > 0) onTry(isRightChoice(question.options, chosen), chosen)
  }
  /** Another choice clears the marks; once the question is over, it starts a new run. */
  const change = () => {
    setMissing(false)
    const stage = stageOf(run)
    if (isOver(stage)) onRestart()
    else if (stage === 'second-try') onChooseAgain()
  }
  return { name, chosenAtFirst, missing, check, change }
}

type QuizButtonsProps = Pick<QuizQuestionProps, 'answered' | 'onSolution'> & { stage: RunStage; onChange(): void }

/** With keys, so that React makes a new button: otherwise a click could trigger the action of the next one. */
function QuizButtons({ answered, stage, onSolution, onChange }: QuizButtonsProps) {
  const again = useRef<HTMLButtonElement>(null)
  const over = isOver(stage)
  useFocusOnChange(over, again, { onlyIfLost: true })
  const restart = (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget
    const inputs = form?.querySelectorAll('input') ?? []
    for (const input of inputs) input.checked = false
    inputs[0]?.focus()
    onChange()
  }
  if (over)
    return (
      <Button ref={again} key="again" look="secondary" className="mt-4" onClick={restart}>
        Try again
      </Button>
    )
  return (
    <div key="check" className="mt-4 flex flex-wrap gap-3 noscript:hidden print:hidden">
      <Button type="submit">Check answer</Button>
      {answered && stage === 'open' && (
        <Button look="quiet" onClick={onSolution}>
          Show answer
        </Button>
      )}
    </div>
  )
}

function QuestionNumber({
  number,
  count,
  answered,
  right,
}: Pick<QuizQuestionProps, 'number' | 'count' | 'answered'> & {
  /** Only a right answer is shown as a success. */
  right: boolean
}) {
  return (
    <span className="flex items-center justify-between gap-4 text-sm font-medium text-muted">
      {questionPlace(number, count)}
      {answered && (
        <span className={`inline-flex items-center gap-1 ${right ? 'text-good' : ''}`}>
          {right && <Check aria-hidden="true" size={16} />} Answered
        </span>
      )}
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
      <p className="rounded-control bg-sunken p-4">
        <FormulaText text={text} />
      </p>
    </details>
  )
}

const looks = { right: 'border-good bg-good-soft', wrong: 'border-bad bg-bad-soft', none: 'border-line' }

function QuizOption({
  name,
  value,
  several,
  chosenAtFirst,
  text,
  verdict,
}: {
  name: string
  value: string
  several: boolean
  /** When the question is shown, from an earlier visit. */
  chosenAtFirst: boolean
  text: string
  verdict: Verdict
}) {
  return (
    <label
      className={`flex min-h-11 items-center gap-3 rounded-control border px-4 py-2.5 hover:border-edge has-checked:border-accent ${looks[verdict ?? 'none']}`}
    >
      <input
        type={several ? 'checkbox' : 'radio'}
        name={name}
        value={value}
        defaultChecked={chosenAtFirst}
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

type JudgmentProps = { stage: RunStage; run: QuestionRun }
type QuizFeedbackProps = JudgmentProps & {
  question: Question
  /** The lesson's place that explains it. */
  explainedIn: { to: string; title: string } | null
}

/** Feedback on an answer; before the solution, only a link to the place that explains it. */
function QuizFeedback({ stage, run, question, explainedIn }: QuizFeedbackProps) {
  if (stage === 'open') return null
  const good = stage === 'right' || run.tries.length === 0
  return (
    <div className={`rounded-control p-4 ${good ? 'bg-good-soft' : 'bg-warn-soft'}`}>
      <p>
        <Judgment stage={stage} run={run} /> {stage !== 'second-try' && <FormulaText text={question.explanation} />}
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
function Judgment({ stage, run }: JudgmentProps) {
  if (stage === 'right')
    return <strong className="text-good">{run.tries.length === 1 ? judgments.right : judgments.rightThisTime}</strong>
  if (run.tries.length === 0) return null
  return (
    <>
      <strong className="text-warn">{judgments.wrong}</strong> {stage === 'second-try' && judgments.oneMoreTry}
    </>
  )
}
