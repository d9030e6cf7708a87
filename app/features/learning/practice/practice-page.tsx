import { ArrowRight, BrainCircuit, CircleCheckBig } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Form, Link, useNavigation, useNavigationType } from 'react-router'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { questionKinds } from '~/features/courses/questions/question-kinds'
import { Button, ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import type { FormResult } from '~/ui/form/form-result'
import { FormulaText } from '~/ui/formula-text'
import { ProgressBar } from '~/ui/progress-bar'
import type { PracticeFeedback, PracticeQuestion, PracticeToday } from './practice-data'
import {
  nextQuestionText,
  nothingToPractice,
  practiceDone,
  practiceProblems,
  questionPlace,
  verdicts,
} from './practice-messages'

/** The result of an answer: its feedback, or the new order of an ordering question. */
export type PracticeReply = {
  feedback?: PracticeFeedback
  /** Of the feedback. */
  formulas?: Record<string, string>
  moved?: readonly number[]
}

type PracticeResult = FormResult<PracticeReply>

type PracticePageProps = {
  uid: string
  /** The learner's, like 2026-11-20. */
  day: string
  today: PracticeToday
  next: PracticeQuestion | null
  result: PracticeResult | undefined
}

/**
 * One question after the other; an answered one stays with its solution until the learner goes on.
 */
export function PracticePage({ uid, day, today, next, result }: PracticePageProps) {
  const feedback = result?.done ? result.feedback : undefined
  const shown = feedback ?? next
  const number = today.practiced + (feedback ? 0 : 1)
  const count = today.practiced + today.left

  return (
    <div className="column max-w-3xl pt-6 lg:pt-10">
      <header className="mb-6">
        <h1 className="title">Practice</h1>
        {shown ? (
          <div className="mt-4 flex items-center gap-4">
            <p className="shrink-0 text-muted tabular-nums">
              {questionPlace(Math.min(number, count), count)}
            </p>
            <div className="flex-1">
              <ProgressBar
                percent={Math.floor((today.practiced / count) * 100)}
                label="Practiced today"
              />
            </div>
          </div>
        ) : (
          <p className="mt-2 text-muted">Questions you got wrong come back until you know them.</p>
        )}
      </header>
      {feedback && (
        <PracticeSolution key={turnKey(feedback)} feedback={feedback} last={next === null} />
      )}
      {!feedback && next && <Question key={turnKey(next)} uid={uid} asked={next} result={result} />}
      {!shown && <PracticeDone today={today} day={day} />}
    </div>
  )
}

const turnKey = ({ turn }: PracticeQuestion) => Object.values(turn).join(' ')

const hintId = 'practice-hint'

type QuestionProps = { uid: string; asked: PracticeQuestion; result: PracticeResult | undefined }

function Question({ uid, asked, result }: QuestionProps) {
  const { turn, question, course } = asked
  const { hint, AnswerField } = questionKinds[question.type]
  const busy = useNavigation().formMethod !== undefined
  const moved = result?.done ? result.moved : undefined
  const [value, setValue] = useState<LearnerAnswer>(moved ?? null)
  const heading = useFocusAfterQuestion()
  const form = useRef<HTMLFormElement>(null)
  const pressed = useRef<HTMLElement>(null)
  const [missing, setMissing] = useState(false)
  const refusal = result?.done === false ? result.errors.form : undefined
  const problem = missing ? practiceProblems.none : refusal
  const check = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    const given = new FormData(event.currentTarget, submitter)
    const empty = !given.has('intent') && given.getAll('answer').every((part) => part === '')
    if (empty) {
      event.preventDefault()
    }

    setMissing(empty)
    pressed.current = submitter
  }

  useWhenOnline(result?.done === false, () => form.current?.requestSubmit(pressed.current))

  return (
    <Form ref={form} method="post" autoComplete="off" onSubmit={check} className="card p-5 sm:p-8">
      {Object.entries({ ...turn, uid, type: question.type }).map(([name, field]) => (
        <input key={name} type="hidden" name={name} value={field} />
      ))}
      <p className="font-medium text-muted text-sm">{course}</p>
      <fieldset aria-describedby={hintId} className="mt-2">
        <legend
          ref={heading}
          tabIndex={-1}
          className="mb-2 font-semibold text-xl leading-snug outline-none"
        >
          <FormulaText text={question.prompt} />
        </legend>
        <p id={hintId} className="mb-5 text-muted">
          {hint}
        </p>
        {/* The first button is what Enter in a text field presses. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
          Check answer
        </button>
        <AnswerField question={question} value={value} onAnswer={setValue} hintId={hintId} />
      </fieldset>
      <Problem>{problem}</Problem>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button type="submit" disabled={busy} className="min-w-36">
          {busy ? 'Checking...' : 'Check answer'}
        </Button>
        <Button type="submit" variant="quiet" name="intent" value="give-up" disabled={busy}>
          I don’t know
        </Button>
      </div>
    </Form>
  )
}

/** Pending answers are sent again as soon as there is a connection. */
function useWhenOnline(waits: boolean, send: () => void) {
  const sendNow = useEffectEvent(send)
  useEffect(() => {
    if (!waits) {
      return
    }

    const onOnline = () => sendNow()
    window.addEventListener('online', onOnline)

    return () => window.removeEventListener('online', onOnline)
  }, [waits])
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={children ? 'mt-4 font-medium text-bad' : 'sr-only'}>
      {children}
    </p>
  )
}

/**
 * Moves the focus on from the previous question's button, which is gone. A page that was opened
 * directly doesn't move it.
 */
function useFocusAfterQuestion() {
  const heading = useRef<HTMLLegendElement>(null)
  const opened = useNavigationType() === 'POP'
  useEffect(() => {
    if (!opened && document.activeElement === document.body) {
      heading.current?.focus()
    }
  }, [opened])

  return heading
}

/**
 * Nothing is left today: what was done, and when the next question comes.
 *
 * @param day the learner's.
 */
function PracticeDone({ today, day }: { today: PracticeToday; day: string }) {
  const { practiced, right, nextOn } = today
  const next = nextOn && nextQuestionText(nextOn, day)
  if (practiced > 0) {
    return (
      <EmptyState
        icon={<CircleCheckBig />}
        title={practiceDone.title}
        action={<ButtonLink to="/Profile">Back to your profile</ButtonLink>}
      >
        {practiceDone.text(practiced, right)} {next}
      </EmptyState>
    )
  }

  return (
    <EmptyState
      icon={<BrainCircuit />}
      title={nothingToPractice.title}
      action={<ButtonLink to="/Profile/current-courses">Your courses</ButtonLink>}
    >
      {next ?? nothingToPractice.text}
    </EmptyState>
  )
}

/** An answered question with the right answer and its explanation. */
function PracticeSolution({ feedback, last }: { feedback: PracticeFeedback; last: boolean }) {
  const { question, given, solution, isRight, explanation, place, course } = feedback
  const { AnswerComparison } = questionKinds[question.type]
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const verdict = isRight ? verdicts.right : verdicts.wrong

  return (
    <section aria-labelledby="verdict" className="card p-5 sm:p-8">
      <p className="font-medium text-muted text-sm">{course}</p>
      <p className="mt-2 mb-5 font-semibold text-xl leading-snug">
        <FormulaText text={question.prompt} />
      </p>
      <AnswerComparison
        question={question}
        answer={given}
        correctAnswer={solution}
        isCorrect={isRight}
      />
      <div className={`mt-5 rounded-control p-4 ${isRight ? 'bg-good-soft' : 'bg-warn-soft'}`}>
        <h2
          ref={heading}
          id="verdict"
          tabIndex={-1}
          className={`font-bold outline-none ${isRight ? 'text-good' : 'text-warn'}`}
        >
          {verdict.title}
        </h2>
        <p className="mt-1">
          <FormulaText text={explanation} />
        </p>
        <p className="mt-2 text-muted text-sm">{verdict.text}</p>
      </div>
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <ButtonLink to="/Practice">
          {last ? 'Finish' : 'Next question'} <ArrowRight aria-hidden="true" size={18} />
        </ButtonLink>
        {place && (
          <Link to={place} className="link inline-flex min-h-11 items-center px-2">
            Review the lesson
          </Link>
        )}
      </div>
    </section>
  )
}
