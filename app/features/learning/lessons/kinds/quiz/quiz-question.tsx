import { ArrowRight, Check, Lightbulb, X } from 'lucide-react'
import { type MouseEvent, type SubmitEvent, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import { useFocusOnChange } from '~/ui/hooks'
import type { QuizQuestion as Question } from './quiz-material.server'
import { questionPositionText, quizMessages } from './quiz-messages'
import {
  chooseOption,
  getOptionVerdict,
  getRunStage,
  isRightChoice,
  isRunFinished,
  newRun,
  type OptionVerdict,
  type QuestionRun,
  type RunStage,
} from './quiz-run'

type QuizQuestionProps = {
  question: Question
  number: number
  count: number
  /** Whether the question was ever answered, also on an earlier visit. */
  isAnswered: boolean
  run: QuestionRun
  /** The link to the lesson that explains the question. */
  explanationLink: { to: string; title: string } | null
  onChange(run: QuestionRun): void
  onTry(isRight: boolean): void
  onContinue(): void
}

/** A form with one question, its hint, and the feedback on each try. */
export function QuizQuestion(props: QuizQuestionProps) {
  const { question, number, count, isAnswered, run, onChange, onTry, onContinue } = props
  const id = useId()
  const [isChoiceMissing, setIsChoiceMissing] = useState(false)
  const stage = getRunStage(run)
  const correctOptions = question.options.filter((option) => option.correct)
  const isMultipleChoice = correctOptions.length > 1

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isRunFinished(stage)) {
      onContinue()
      return
    }

    const hasChoice = run.chosen.length > 0
    setIsChoiceMissing(!hasChoice)
    if (!hasChoice) {
      return
    }

    const isRight = isRightChoice(question.options, run.chosen)
    onChange({ ...run, tries: [...run.tries, isRight], judged: true })
    onTry(isRight)
  }

  return (
    <form onSubmit={handleSubmit} className="card p-5 sm:p-7 print:break-inside-avoid">
      <fieldset
        data-focus
        tabIndex={-1}
        aria-describedby={`${id}-feedback`}
        className="outline-none"
      >
        <legend className="w-full">
          <span className="flex items-center justify-between gap-4 text-sm font-medium text-muted">
            {questionPositionText(number, count)}
            <AnsweredMark run={run} isAnswered={isAnswered} />
          </span>
          <span dir="auto" className="mt-1 block text-lg font-semibold">
            <FormulaText text={question.question} />
          </span>
        </legend>
        <div className="mt-4 flex flex-col gap-2">
          {question.options.map(({ text, correct: isCorrect }) => {
            const isChosen = run.chosen.includes(text)
            const verdict = getOptionVerdict(stage, {
              isCorrect,
              isChosen: run.judged && isChosen,
              isMultipleChoice,
            })
            return (
              <QuizOption
                key={text}
                name={id}
                text={text}
                type={isMultipleChoice ? 'checkbox' : 'radio'}
                isChosen={isChosen}
                verdict={verdict}
                onChoose={() => {
                  setIsChoiceMissing(false)
                  onChange(chooseOption(run, text, isMultipleChoice))
                }}
              />
            )
          })}
        </div>
      </fieldset>
      {question.hint && !isRunFinished(stage) && <Hint text={question.hint} />}
      <div id={`${id}-feedback`} role="status" className="mt-4 empty:mt-0">
        {isChoiceMissing && (
          <p className="font-medium text-bad">{quizMessages.chooseAnswerFirst}</p>
        )}
        {!isChoiceMissing && <QuizFeedback {...props} stage={stage} />}
      </div>
      <QuizButtons {...props} stage={stage} />
    </form>
  )
}

/** Keeps the second half of a double click on 'Check answer' from using up the next try. */
function ignoreDoubleClick(event: MouseEvent<HTMLButtonElement>): void {
  if (event.detail > 1) {
    event.preventDefault()
  }
}

type StageProps = { stage: RunStage }

/**
 * The buttons before and after the end of a run. Different keys make React draw new buttons, so
 * that a click never triggers what the next button does.
 */
function QuizButtons({ isAnswered, run, stage, onChange }: QuizQuestionProps & StageProps) {
  const continueButton = useRef<HTMLButtonElement>(null)
  const isFinished = isRunFinished(stage)
  useFocusOnChange(isFinished, continueButton, { onlyIfLost: true })

  if (isFinished) {
    return (
      <div key="finished" className="mt-4 flex flex-wrap gap-3 noscript:hidden print:hidden">
        <Button ref={continueButton} type="submit" onClick={ignoreDoubleClick}>
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
    <div key="unfinished" className="mt-4 flex flex-wrap gap-3 noscript:hidden print:hidden">
      <Button type="submit" onClick={ignoreDoubleClick}>
        Check answer
      </Button>
      {isAnswered && (
        <Button variant="quiet" onClick={() => onChange({ ...run, solutionAsked: true })}>
          Show answer
        </Button>
      )}
    </div>
  )
}

/** Says that a question was answered. Only a right answer is displayed as a success. */
export function AnsweredMark({ run, isAnswered }: Pick<QuizQuestionProps, 'run' | 'isAnswered'>) {
  if (!isAnswered) {
    return null
  }

  const isRight = getRunStage(run) === 'right'

  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1 text-sm font-medium ${isRight ? 'text-good' : 'text-muted'}`}
    >
      {isRight && <Check aria-hidden="true" size={16} />} Answered
    </span>
  )
}

/** A hint that also opens without scripts. */
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

const optionColorClasses: Record<NonNullable<OptionVerdict> | 'none', string> = {
  right: 'border-good bg-good-soft',
  wrong: 'border-bad bg-bad-soft',
  none: 'border-line',
}

type QuizOptionProps = {
  name: string
  text: string
  type: 'checkbox' | 'radio'
  isChosen: boolean
  verdict: OptionVerdict
  onChoose(): void
}

function QuizOption({ name, text, type, isChosen, verdict, onChoose }: QuizOptionProps) {
  return (
    <label
      dir="auto"
      className={`flex min-h-11 items-center gap-3 rounded-control border px-4 py-2.5 hover:border-edge has-checked:border-accent ${optionColorClasses[verdict ?? 'none']}`}
    >
      <input
        type={type}
        name={name}
        value={text}
        checked={isChosen}
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

type QuizFeedbackProps = Pick<QuizQuestionProps, 'run' | 'question' | 'explanationLink'> &
  StageProps

/**
 * Says whether the last try was right, and explains the question. Before the second try, it only
 * links to the explaining lesson.
 */
function QuizFeedback({ stage, run, question, explanationLink }: QuizFeedbackProps) {
  if (stage === 'open') {
    return null
  }

  const isNothingWrong = stage === 'right' || run.tries.length === 0

  return (
    <div className={`rounded-control p-4 ${isNothingWrong ? 'bg-good-soft' : 'bg-warn-soft'}`}>
      <p dir="auto">
        <Judgment stage={stage} run={run} />{' '}
        {stage !== 'second-try' && <FormulaText text={question.explanation} />}
      </p>
      {explanationLink && (
        <p className="mt-2">
          <Link to={explanationLink.to} className="link">
            {explainedInText(explanationLink.title)}
          </Link>
        </p>
      )}
    </div>
  )
}

/** Says whether the last try was right. Without a try, the learner only asked for the solution. */
function Judgment({ stage, run }: Pick<QuizQuestionProps, 'run'> & StageProps) {
  if (stage === 'right') {
    return (
      <strong className="text-good">
        {run.tries.length === 1
          ? quizMessages.judgments.right
          : quizMessages.judgments.rightThisTime}
      </strong>
    )
  }

  if (run.tries.length === 0) {
    return null
  }

  return (
    <>
      <strong className="text-warn">{quizMessages.judgments.wrong}</strong>{' '}
      {stage === 'second-try' && quizMessages.judgments.oneMoreTry}
    </>
  )
}

function explainedInText(lessonTitle: string): string {
  return `Explained in ${lessonTitle}`
}
