import type { ReactNode } from 'react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useNavigationType, useRevalidator, useSearchParams, useSubmit } from 'react-router'
import { readAnswer } from '~/features/courses/questions/question-kinds'
import { useOnline } from '~/ui/connection'
import { byCount } from '~/ui/format-count'
import { formatSeconds } from '~/ui/format-duration'
import { useFocusOnChange } from '~/ui/hooks'
import type { Linked } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { examMessages, formatQuestionPosition } from '../exam-messages'
import type { AnswerStatus, ExamOverview, OpenAttempt } from '../exam-page-data'
import { ExamBar, ExamNavigation } from './exam-bar'
import { ExamQuestionForm, getNextStep, questionFormId } from './exam-question-form'
import { ExamReview, LeaveExam } from './exam-review'
import { useExamAnswers } from './use-exam-answers'

type ExamAttemptPageProps = {
  uid: string
  overview: ExamOverview
  openAttempt: OpenAttempt
  /** Whether the last request to submit did not reach the server. */
  isUnreachable: boolean
}

/**
 * The exam in progress, without the site's header and footer. It shows one question at a time, the
 * clock, and a review before submitting.
 */
export function ExamAttemptPage({
  uid,
  overview,
  openAttempt,
  isUnreachable,
}: ExamAttemptPageProps) {
  const { questions, attemptId } = openAttempt
  const position = useExamPosition(openAttempt)
  const { step, number } = position
  const isOnline = useOnline()
  const answers = useExamAnswers(uid, openAttempt)
  const { problem, submitExam } = useSubmitExam(attemptId, answers.flush)
  useReloadOnNewDeadline(openAttempt.deadlineAt, answers.deadlineAt)
  const handleTimeUp = useSubmitWhenTimeIsUp(openAttempt, () => void submitExam('time-over'))
  const isAnswered = (questionNumber: number) => {
    const question = questions[questionNumber - 1]
    const value = answers.values[questionNumber - 1]
    return question !== undefined && (readAnswer(question, value) ?? null) !== null
  }
  const formId = step === 'question' ? questionFormId : null

  return (
    <div data-alone="">
      {formId && <EnterButton formId={formId} go={getNextStep(number, questions.length)} />}
      <ExamBar
        title={overview.exam.title}
        position={step === 'review' ? 'Review' : formatQuestionPosition(number, questions.length)}
        status={answers.status}
        isOnline={isOnline}
        openAttempt={openAttempt}
        formId={formId}
        isLeaving={step === 'leave'}
        onTimeUp={handleTimeUp}
      />
      <div className="column py-6 sm:py-8">
        <ExamNotices
          status={answers.status}
          isOnline={isOnline}
          lateQuestions={answers.lateQuestions}
          problem={isUnreachable ? examMessages.submissionProblems.unreachable : problem}
          pausedSeconds={openAttempt.pausedSeconds}
          path={`/Exam/${overview.course.id}`}
          attemptId={attemptId}
        />
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_17rem]">
          <AttemptStep
            openAttempt={openAttempt}
            timezone={overview.timezone}
            position={position}
            answers={answers}
            isAnswered={isAnswered}
            onSubmit={() => submitExam()}
          />
          {step !== 'leave' && (
            <ExamNavigation
              questions={questions}
              current={step === 'review' ? null : number}
              isAnswered={isAnswered}
              formId={formId}
            />
          )}
        </div>
      </div>
    </div>
  )
}

type ExamNoticesProps = {
  status: AnswerStatus
  isOnline: boolean
  /** Numbers of the questions whose last answers came too late. */
  lateQuestions: readonly number[]
  problem: string | null
  /** By how many seconds maintenance has extended the attempt. */
  pausedSeconds: number
  /** The path of the exam's page. */
  path: string
  attemptId: string
}

/** Explains why answers can't be saved. Screen readers announce changes. */
function ExamNotices({
  status,
  isOnline,
  lateQuestions,
  problem,
  pausedSeconds,
  path,
  attemptId,
}: ExamNoticesProps) {
  const displayedProblem = problem ?? getSavingProblem(status, isOnline)
  return (
    <div role="status">
      {status === 'closed' && (
        <Notice variant="info" className="mb-6">
          {examSubmittedNotice(lateQuestions, (linkText) => (
            <Link
              to={`${path}/${attemptId}`}
              className="font-semibold underline underline-offset-2"
            >
              {linkText}
            </Link>
          ))}
        </Notice>
      )}
      {status === 'signed-out' && (
        <Notice variant="warn" className="mb-6">
          {signedOutNotice((linkText) => (
            <Link
              to={`/Login?${new URLSearchParams({ from: path })}`}
              className="font-semibold underline underline-offset-2"
            >
              {linkText}
            </Link>
          ))}
        </Notice>
      )}
      {pausedSeconds > 0 && status !== 'closed' && (
        <Notice variant="info" className="mb-6">
          {examMessages.formatMaintenancePause(formatSeconds(pausedSeconds))}
        </Notice>
      )}
      {displayedProblem && status !== 'closed' && status !== 'signed-out' && (
        <Notice variant="warn" className="mb-6">
          {displayedProblem}
        </Notice>
      )}
    </div>
  )
}

function getSavingProblem(status: AnswerStatus, isOnline: boolean): string | null {
  if (status === 'refused') {
    return examMessages.savingProblems.refused
  }

  if (!isOnline) {
    return examMessages.savingProblems.offline
  }

  return status === 'offline' ? examMessages.savingProblems.unreachable : null
}

/**
 * A hidden button that goes to the next step. The Enter key presses the first button of a form, which
 * would otherwise be the one that leaves the exam.
 */
function EnterButton({ formId, go }: { formId: string; go: string }) {
  return (
    <button
      type="submit"
      form={formId}
      name="go"
      value={go}
      tabIndex={-1}
      aria-hidden="true"
      className="sr-only"
    >
      Next
    </button>
  )
}

type AttemptStepProps = {
  openAttempt: OpenAttempt
  timezone: string
  position: ReturnType<typeof useExamPosition>
  answers: ReturnType<typeof useExamAnswers>
  isAnswered(question: number): boolean
  onSubmit(): Promise<void>
}

/** Shows a question, the review or the dialog about leaving. Its heading takes the focus. */
function AttemptStep({
  openAttempt,
  timezone,
  position,
  answers,
  isAnswered,
  onSubmit,
}: AttemptStepProps) {
  const { questions, attemptId } = openAttempt
  const { step, number, from } = position
  const question = questions[number - 1]
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(step === 'question' ? number : step, heading)
  useFocusAfterStart(heading)
  const goTo = (nextStep: string) => {
    void answers.flush()
    position.goTo(nextStep)
  }

  if (step === 'leave') {
    const { deadlineAt } = openAttempt
    return (
      <LeaveExam
        headingRef={heading}
        deadlineAt={deadlineAt}
        timezone={timezone}
        from={from}
        status={answers.status}
      />
    )
  }

  if (step === 'review' || !question) {
    const review = { attemptId, questions, isAnswered, onSubmit }
    return <ExamReview headingRef={heading} {...review} />
  }

  return (
    <ExamQuestionForm
      key={number}
      headingRef={heading}
      attemptId={attemptId}
      question={question}
      number={number}
      count={questions.length}
      isClosed={answers.status === 'closed'}
      value={answers.values[number - 1] ?? null}
      onAnswer={(value, isTyping = false) => answers.giveAnswer(number, value, { isTyping })}
      onGo={goTo}
    />
  )
}

/** @param sendAnswers sends unsaved answers and returns whether the server has all of them */
function useSubmitExam(attemptId: string, sendAnswers: () => Promise<boolean>) {
  const submit = useSubmit()
  const [problem, setProblem] = useState<string | null>(null)
  const submitExam = async (because = 'asked') => {
    setProblem(null)

    const hasSentAnswers = await sendAnswers()
    if (!hasSentAnswers) {
      setProblem(examMessages.submissionProblems.answersWaiting)
      return
    }

    await submit({ intent: 'hand-in', attempt: attemptId, because }, { method: 'post' })
  }

  return { problem, submitExam }
}

/**
 * Moves the focus to the heading after the start, because the button that started the exam is gone. A
 * page that was opened directly keeps the browser's focus.
 */
function useFocusAfterStart(heading: RefObject<HTMLHeadingElement | null>) {
  const wasOpenedDirectly = useNavigationType() === 'POP'
  const moveFocus = useEffectEvent(() => {
    if (!wasOpenedDirectly) {
      heading.current?.focus()
    }
  })

  useEffect(() => moveFocus(), [])
}

const retryMs = 15_000

/**
 * Submits the exam once the time has run out, and tries again until the server responds. The server's
 * clock decides: the response may contain a new deadline, for example after maintenance.
 *
 * @returns a function to call when the time has run out
 */
function useSubmitWhenTimeIsUp({ secondsLeft }: OpenAttempt, submitExam: () => void) {
  // Stores for which deadline the time ran out. A new deadline changes `secondsLeft`.
  const [elapsedSeconds, setElapsedSeconds] = useState<number | null>(null)
  const submit = useEffectEvent(submitExam)

  useEffect(() => {
    if (elapsedSeconds !== secondsLeft) {
      return
    }

    submit()
    const timer = setInterval(submit, retryMs)
    window.addEventListener('online', submit)

    return () => {
      clearInterval(timer)
      window.removeEventListener('online', submit)
    }
  }, [elapsedSeconds, secondsLeft])

  return () => setElapsedSeconds(secondsLeft)
}

/** Reloads the page's data when the server reports that maintenance has moved the deadline. */
function useReloadOnNewDeadline(displayedDeadline: string, reportedDeadline: string | null) {
  const { revalidate } = useRevalidator()
  const reload = useEffectEvent(() => void revalidate())
  useEffect(() => {
    if (reportedDeadline !== null && reportedDeadline !== displayedDeadline) {
      reload()
    }
  }, [displayedDeadline, reportedDeadline])
}

type ExamStep = 'question' | 'review' | 'leave'

/**
 * Returns the current step of the exam, which is stored in the URL. Without a step in the URL, the
 * exam continues at the last displayed question if this browser remembers it, or at the question that
 * was answered last.
 */
function useExamPosition({ attemptId, questions, resumeAt }: OpenAttempt) {
  const [search, setSearch] = useSearchParams()
  const requestedStep = search.get('question')
  const isQuestion = requestedStep !== 'review' && requestedStep !== 'leave'
  const step: ExamStep = isQuestion ? 'question' : requestedStep

  const clampNumber = (value: string | number | null) =>
    Math.min(Math.max(Number(value) || resumeAt, 1), questions.length)
  const from = search.get('from')
  const number = clampNumber(step === 'leave' ? from : requestedStep)

  const resume = useEffectEvent(() => {
    const storedNumber = requestedStep === null ? readStoredQuestion(attemptId) : null
    if (storedNumber !== null && storedNumber !== number) {
      setSearch({ question: String(clampNumber(storedNumber)) }, { replace: true })
    }
  })
  useEffect(() => resume(), [])

  useEffect(() => {
    if (requestedStep !== null && step === 'question') {
      storeQuestion(attemptId, number)
    }
  }, [attemptId, requestedStep, step, number])

  const goTo = (nextStep: string) => {
    const currentStep = step === 'question' ? String(number) : step
    const parameters: Record<string, string> =
      nextStep === 'leave' ? { question: nextStep, from: currentStep } : { question: nextStep }
    setSearch(parameters, { preventScrollReset: true })
  }

  return { step, number, from: from === 'review' ? from : String(number), goTo }
}

const storageKey = 'learnify-exam-place'

/** Remembers the current question in this browser. Only the latest attempt is remembered. */
function storeQuestion(attemptId: string, question: number): void {
  try {
    localStorage.setItem(storageKey, `${attemptId} ${question}`)
  } catch {}
}

/** @returns the number of the question, from 1, or null if none is stored for this attempt */
function readStoredQuestion(attemptId: string): number | null {
  try {
    const [attempt, question] = (localStorage.getItem(storageKey) ?? '').split(' ')
    return (attempt === attemptId && Number(question)) || null
  } catch {
    return null
  }
}

function signedOutNotice(link: Linked): ReactNode {
  return (
    <>
      You’ve been signed out. {link('Sign in again')} to save your answers. The clock is still
      running.
    </>
  )
}

/** @param lateQuestions the numbers of the questions whose last answers don’t count */
function examSubmittedNotice(lateQuestions: readonly number[], link: Linked): ReactNode {
  return (
    <>
      This exam has been submitted. {lateQuestions.length > 0 && describeLateAnswers(lateQuestions)}{' '}
      {link('See your result')}
    </>
  )
}

function describeLateAnswers(questions: readonly number[]): string {
  const numbers = new Intl.ListFormat('en-US').format(
    questions.toSorted((a, b) => a - b).map(String),
  )
  return byCount(
    questions.length,
    `Your last answer to question ${numbers} was too late to count.`,
    `Your last answers to questions ${numbers} were too late to count.`,
  )
}
