import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigationType, useRevalidator } from 'react-router'
import { readAnswer } from '~/features/courses/questions/question-kinds'
import { useOnline } from '~/ui/connection'
import { useFocusOnChange } from '~/ui/hooks'
import { describeUnsentAnswers, examMessages, formatQuestionPosition } from '../exam-messages'
import type { ExamOverview, OpenAttempt } from '../exam-page-data'
import { ExamBar } from './exam-bar'
import { ExamNavigation } from './exam-navigation'
import { ExamNotices } from './exam-notices'
import { ExamQuestionForm, getNextStep, questionFormId } from './exam-question-form'
import { ExamReview, LeaveExam } from './exam-review'
import { useExamAnswers } from './use-exam-answers'
import { type ExamPosition, useExamPosition } from './use-exam-position'
import { useSubmitExam } from './use-submit-exam'

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
  const { step, questionNumber } = position
  const isOnline = useOnline()
  const answers = useExamAnswers(uid, openAttempt)

  const { hasUnsentAnswers, submitExam } = useSubmitExam(attemptId, answers.flush)
  const unsentAnswersProblem = hasUnsentAnswers ? describeUnsentAnswers(answers.status) : null
  const submissionProblem = isUnreachable
    ? examMessages.submissionProblems.unreachable
    : unsentAnswersProblem
  useReloadOnNewDeadline(openAttempt.deadlineAt, answers.deadlineAt)
  const handleTimeUp = useSubmitWhenTimeIsUp(openAttempt, () => void submitExam('time-over'))

  const isAnswered = (number: number) => {
    const question = questions[number - 1]
    const answer = question && readAnswer(question, answers.values[number - 1])
    return answer !== undefined && answer !== null
  }

  const questionPosition = formatQuestionPosition(questionNumber, questions.length)
  const formId = step === 'question' ? questionFormId : null

  return (
    <div data-alone="">
      {formId && (
        <EnterButton formId={formId} nextStep={getNextStep(questionNumber, questions.length)} />
      )}
      <ExamBar
        title={overview.exam.title}
        position={step === 'review' ? 'Review' : questionPosition}
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
          submissionProblem={submissionProblem}
          pausedSeconds={openAttempt.pausedSeconds}
          examPath={`/Exam/${overview.course.id}`}
          attemptId={attemptId}
        />
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_17rem]">
          <AttemptStep
            openAttempt={openAttempt}
            timezone={overview.timezone}
            position={position}
            answers={answers}
            isAnswered={isAnswered}
            onSubmit={() => submitExam('asked')}
          />
          {step !== 'leave' && (
            <ExamNavigation
              questions={questions}
              currentNumber={step === 'review' ? null : questionNumber}
              isAnswered={isAnswered}
              formId={formId}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/**
 * A hidden button that goes to the next step. The Enter key presses the first button of a form,
 * which would otherwise be the one that leaves the exam.
 */
function EnterButton({ formId, nextStep }: { formId: string; nextStep: string }) {
  return (
    <button
      type="submit"
      form={formId}
      name="go"
      value={nextStep}
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
  position: ExamPosition
  answers: ReturnType<typeof useExamAnswers>
  isAnswered(questionNumber: number): boolean
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
  const { step, questionNumber, returnStep } = position
  const question = questions[questionNumber - 1]
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(step === 'question' ? questionNumber : step, heading)
  useFocusAfterStart(heading)

  const goTo = (nextStep: string) => {
    void answers.flush()
    position.goTo(nextStep)
  }

  if (step === 'leave') {
    return (
      <LeaveExam
        headingRef={heading}
        deadlineAt={openAttempt.deadlineAt}
        timezone={timezone}
        returnStep={returnStep}
        status={answers.status}
      />
    )
  }

  if (step === 'review' || !question) {
    return (
      <ExamReview
        headingRef={heading}
        attemptId={attemptId}
        questions={questions}
        isAnswered={isAnswered}
        onSubmit={onSubmit}
      />
    )
  }

  return (
    <ExamQuestionForm
      key={questionNumber}
      headingRef={heading}
      attemptId={attemptId}
      question={question}
      number={questionNumber}
      count={questions.length}
      isClosed={answers.status === 'closed'}
      value={answers.values[questionNumber - 1] ?? null}
      onAnswer={(value, isTyping = false) =>
        answers.giveAnswer(questionNumber, value, { isTyping })
      }
      onGo={goTo}
    />
  )
}

/**
 * Moves the focus to the heading after the start, because the button that started the exam is gone.
 * A page that was opened directly keeps the browser's focus.
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
 * Submits the exam once the time has run out, and tries again until the server responds. The
 * server's clock decides: the response may contain a new deadline, for example after maintenance.
 *
 * @returns a function to call when the time has run out
 */
function useSubmitWhenTimeIsUp({ secondsLeft }: OpenAttempt, submitExam: () => void) {
  // `secondsLeft` changes with each new deadline, so it identifies the deadline that has passed.
  const [passedDeadline, setPassedDeadline] = useState<number | null>(null)
  const submit = useEffectEvent(submitExam)

  useEffect(() => {
    if (passedDeadline !== secondsLeft) {
      return
    }

    submit()
    const timer = setInterval(submit, retryMs)
    window.addEventListener('online', submit)

    return () => {
      clearInterval(timer)
      window.removeEventListener('online', submit)
    }
  }, [passedDeadline, secondsLeft])

  return () => setPassedDeadline(secondsLeft)
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
