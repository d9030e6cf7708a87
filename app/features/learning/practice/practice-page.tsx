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
import {
  getQuestionPosition,
  type PracticeFeedback,
  type PracticeQuestion,
  type PracticeToday,
} from './practice-data'
import { nextQuestionText, practiceMessages } from './practice-messages'

/** What the page gets after the form: feedback, or the new order of an ordering question. */
export type PracticeReply = {
  feedback?: PracticeFeedback
  /** The formulas in the feedback, as HTML by text. */
  formulas?: Record<string, string>
  newOrder?: readonly number[]
}

type PracticeResult = FormResult<PracticeReply>

type PracticePageProps = {
  uid: string
  /** The learner's day, like "2026-11-20". */
  day: string
  today: PracticeToday
  next: PracticeQuestion | null
  result: PracticeResult | undefined
}

/**
 * Asks one question after the other. An answered question stays with its solution until the learner
 * continues.
 */
export function PracticePage({ uid, day, today, next, result }: PracticePageProps) {
  const feedback = result?.done ? result.feedback : undefined
  const isQuestionDisplayed = Boolean(feedback ?? next)
  const isAnswered = feedback !== undefined
  const { number, count, percent } = getQuestionPosition(today, { isAnswered })

  return (
    <div className="column max-w-3xl pt-6 lg:pt-10">
      <header className="mb-6">
        <h1 className="title">Practice</h1>
        {isQuestionDisplayed ? (
          <div className="mt-4 flex items-center gap-4">
            <p className="shrink-0 text-muted tabular-nums">
              {questionPositionText(number, count)}
            </p>
            <div className="flex-1">
              <ProgressBar percent={percent} label="Practiced today" />
            </div>
          </div>
        ) : (
          <p className="mt-2 text-muted">Questions you got wrong come back until you know them.</p>
        )}
      </header>
      {feedback && (
        <PracticeSolution key={getTurnKey(feedback)} feedback={feedback} isLast={next === null} />
      )}
      {!feedback && next && (
        <QuestionForm key={getTurnKey(next)} uid={uid} practiceQuestion={next} result={result} />
      )}
      {!isQuestionDisplayed && <PracticeDone today={today} day={day} />}
    </div>
  )
}

function getTurnKey({ turn }: PracticeQuestion): string {
  return Object.values(turn).join(' ')
}

const hintId = 'practice-hint'

type QuestionFormProps = {
  uid: string
  practiceQuestion: PracticeQuestion
  result: PracticeResult | undefined
}

/**
 * A form with one question. An answer that could not be sent is sent once there is a connection.
 */
function QuestionForm({ uid, practiceQuestion, result }: QuestionFormProps) {
  const { turn, question, courseTitle } = practiceQuestion
  const { hint, AnswerField } = questionKinds[question.type]
  const isBusy = useNavigation().formMethod !== undefined
  const newOrder = result?.done ? result.newOrder : undefined
  const [value, setValue] = useState<LearnerAnswer>(newOrder ?? null)
  const [isAnswerMissing, setIsAnswerMissing] = useState(false)
  const heading = useFocusAfterQuestion()
  const form = useRef<HTMLFormElement>(null)
  const pressedButton = useRef<HTMLElement>(null)
  const serverProblem = result?.done === false ? result.errors.form : undefined
  const problem = isAnswerMissing ? practiceMessages.problems.unanswered : serverProblem

  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    const fields = new FormData(event.currentTarget, submitter)
    const isGivenUp = fields.has('intent')
    const isEmpty = fields.getAll('answer').every((part) => part === '')
    const isMissing = isEmpty && !isGivenUp
    if (isMissing) {
      event.preventDefault()
    }

    setIsAnswerMissing(isMissing)
    pressedButton.current = submitter
  }

  useSubmitWhenOnline(result?.done === false, () => {
    form.current?.requestSubmit(pressedButton.current)
  })

  return (
    <Form
      ref={form}
      method="post"
      autoComplete="off"
      onSubmit={handleSubmit}
      className="card p-5 sm:p-8"
    >
      {Object.entries({ ...turn, uid, type: question.type }).map(([name, fieldValue]) => (
        <input key={name} type="hidden" name={name} value={fieldValue} />
      ))}
      <p className="font-medium text-muted text-sm">{courseTitle}</p>
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
        {/* Enter in a text field presses the first button of a form. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
          Check answer
        </button>
        <AnswerField question={question} value={value} onAnswer={setValue} hintId={hintId} />
      </fieldset>
      <Problem>{problem}</Problem>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button type="submit" disabled={isBusy} className="min-w-36">
          {isBusy ? 'Checking...' : 'Check answer'}
        </Button>
        <Button type="submit" variant="quiet" name="intent" value="give-up" disabled={isBusy}>
          I don’t know
        </Button>
      </div>
    </Form>
  )
}

/** Submits an answer that could not be sent again as soon as there is a connection. */
function useSubmitWhenOnline(isWaiting: boolean, submit: () => void) {
  const submitNow = useEffectEvent(submit)
  useEffect(() => {
    if (!isWaiting) {
      return
    }

    const handleOnline = () => submitNow()
    window.addEventListener('online', handleOnline)

    return () => window.removeEventListener('online', handleOnline)
  }, [isWaiting])
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={children ? 'mt-4 font-medium text-bad' : 'sr-only'}>
      {children}
    </p>
  )
}

/**
 * Returns a ref for the heading of a question. The heading gets the focus when the button of the
 * previous question, which had it, is gone. It doesn't when the page was just opened.
 */
function useFocusAfterQuestion() {
  const heading = useRef<HTMLLegendElement>(null)
  const wasOpenedDirectly = useNavigationType() === 'POP'
  useEffect(() => {
    const isFocusLost = document.activeElement === document.body
    if (!wasOpenedDirectly && isFocusLost) {
      heading.current?.focus()
    }
  }, [wasOpenedDirectly])

  return heading
}

type PracticeSolutionProps = { feedback: PracticeFeedback; isLast: boolean }

/** An answered question with the right answer and its explanation. */
function PracticeSolution({ feedback, isLast }: PracticeSolutionProps) {
  const { question, answer, correctAnswer, isCorrect, explanation, courseTitle } = feedback
  const { AnswerComparison } = questionKinds[question.type]
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const verdict = isCorrect ? practiceMessages.verdicts.right : practiceMessages.verdicts.wrong

  return (
    <section aria-labelledby="verdict" className="card p-5 sm:p-8">
      <p className="font-medium text-muted text-sm">{courseTitle}</p>
      <p className="mt-2 mb-5 font-semibold text-xl leading-snug">
        <FormulaText text={question.prompt} />
      </p>
      <AnswerComparison
        question={question}
        answer={answer}
        correctAnswer={correctAnswer}
        isCorrect={isCorrect}
      />
      <div className={`mt-5 rounded-control p-4 ${isCorrect ? 'bg-good-soft' : 'bg-warn-soft'}`}>
        <h2
          ref={heading}
          id="verdict"
          tabIndex={-1}
          className={`font-bold outline-none ${isCorrect ? 'text-good' : 'text-warn'}`}
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
          {isLast ? 'Finish' : 'Next question'} <ArrowRight aria-hidden="true" size={18} />
        </ButtonLink>
        {feedback.explanationUrl && (
          <Link
            to={feedback.explanationUrl}
            className="link inline-flex min-h-11 items-center px-2"
          >
            Review the lesson
          </Link>
        )}
      </div>
    </section>
  )
}

/** Displays today's result and when the next question is due, once no question remains today. */
function PracticeDone({ today, day }: { today: PracticeToday; day: string }) {
  const { practicedCount, correctCount, nextDueDay } = today
  const nextText = nextDueDay && nextQuestionText(nextDueDay, day)
  if (practicedCount > 0) {
    return (
      <EmptyState
        icon={<CircleCheckBig />}
        title={practiceMessages.practiceDone.title}
        action={<ButtonLink to="/Profile">Back to your profile</ButtonLink>}
      >
        {practiceMessages.practiceDone.text(practicedCount, correctCount)} {nextText}
      </EmptyState>
    )
  }

  return (
    <EmptyState
      icon={<BrainCircuit />}
      title={practiceMessages.nothingToPractice.title}
      action={<ButtonLink to="/Profile/current-courses">Your courses</ButtonLink>}
    >
      {nextText ?? practiceMessages.nothingToPractice.text}
    </EmptyState>
  )
}

function questionPositionText(number: number, count: number): string {
  return `Question ${number} of ${count}`
}
