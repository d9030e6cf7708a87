import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigationType, useRevalidator, useSubmit } from 'react-router'
import { useOnline } from '~/ui/connection'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { readAnswer } from './exam-answer'
import { ExamBar } from './exam-bar'
import { ExamLeave } from './exam-leave'
import { notSubmitted, questionPlace } from './exam-messages'
import { ExamNavigation } from './exam-navigation'
import { ExamNotices } from './exam-notices'
import type { ExamOverview, SittingData } from './exam-page-data'
import { ExamQuestionForm, nextStep, questionFormId } from './exam-question-form'
import { ExamReview } from './exam-review'
import { useExamAnswers } from './use-exam-answers'
import { useExamPlace } from './use-exam-place'

type ExamSittingProps = {
  uid: string
  overview: ExamOverview
  sitting: SittingData
  /** The last attempt to submit did not reach the server. */
  unreachable: boolean
}

/** The exam in progress, alone on the screen: one question at a time, the clock, and a review before submitting. */
export function ExamSitting({ uid, overview, sitting, unreachable }: ExamSittingProps) {
  const { questions, attemptId } = sitting
  const place = useExamPlace(sitting)
  const { step, number } = place
  const online = useOnline()
  const answers = useExamAnswers(uid, sitting)
  const { problem, handIn } = useHandIn(attemptId, answers.flush)
  useNewDeadline(sitting.deadlineAt, answers.deadlineAt)
  const onTimeOver = useTimeOver(sitting, () => void handIn('time-over'))
  const isAnswered = (asked: number) => {
    const [shown, value] = [questions[asked - 1], answers.values[asked - 1]]
    return shown !== undefined && (readAnswer(shown, value) ?? null) !== null
  }
  const formId = step === 'question' ? questionFormId : null

  return (
    <div data-alone="">
      {formId && <EnterButton formId={formId} go={nextStep(number, questions.length)} />}
      <ExamBar
        title={overview.exam.title}
        place={step === 'review' ? 'Review' : questionPlace(number, questions.length)}
        status={answers.status}
        online={online}
        sitting={sitting}
        formId={formId}
        leaving={step === 'leave'}
        onOver={onTimeOver}
      />
      <div className="column py-6 sm:py-8">
        <ExamNotices
          status={answers.status}
          online={online}
          tooLate={answers.tooLate}
          problem={unreachable ? notSubmitted.unreachable : problem}
          pausedSeconds={sitting.pausedSeconds}
          page={`/Exam/${overview.course.id}`}
          attemptId={attemptId}
        />
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_17rem]">
          <SittingStep
            sitting={sitting}
            timezone={overview.timezone}
            place={place}
            answers={answers}
            isAnswered={isAnswered}
            onHandIn={() => handIn()}
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

/** A form's first button is what Enter in a text field presses; without this one, that would be the bar's way out. */
function EnterButton({ formId, go }: { formId: string; go: string }) {
  return (
    <button type="submit" form={formId} name="go" value={go} tabIndex={-1} aria-hidden="true" className="sr-only">
      Next
    </button>
  )
}

type SittingStepProps = {
  sitting: SittingData
  timezone: string
  place: ReturnType<typeof useExamPlace>
  answers: ReturnType<typeof useExamAnswers>
  isAnswered(question: number): boolean
  onHandIn(): Promise<void>
}

/** The question, the review of all, or what leaving means; its heading gets the focus. */
function SittingStep({ sitting, timezone, place, answers, isAnswered, onHandIn }: SittingStepProps) {
  const { questions, attemptId } = sitting
  const { step, number, from } = place
  const question = questions[number - 1]
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(step === 'question' ? number : step, heading)
  useFocusAtStart(heading)
  const goTo = (to: string) => {
    void answers.flush()
    place.goTo(to)
  }
  if (step === 'leave') {
    const { deadlineAt } = sitting
    return (
      <ExamLeave headingRef={heading} deadlineAt={deadlineAt} timezone={timezone} from={from} status={answers.status} />
    )
  }
  if (step === 'review' || !question) {
    const review = { attemptId, questions, isAnswered, onHandIn }
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
      closed={answers.status === 'closed'}
      value={answers.values[number - 1] ?? null}
      onAnswer={(value, typed) => answers.give(number, value, typed)}
      onGo={goTo}
    />
  )
}

/** @param flush sends what is not saved yet; false if that failed. */
function useHandIn(attemptId: string, flush: () => Promise<boolean>) {
  const submit = useSubmit()
  const [problem, setProblem] = useState<string | null>(null)
  const handIn = async (because = 'asked') => {
    setProblem(null)
    if (await flush()) await submit({ intent: 'hand-in', attempt: attemptId, because }, { method: 'post' })
    else setProblem(notSubmitted.answersWaiting)
  }
  return { problem, handIn }
}

/** The button that started the exam is gone, and had the focus; a page that was just opened keeps its own. */
function useFocusAtStart(heading: RefObject<HTMLHeadingElement | null>) {
  const opened = useNavigationType() === 'POP'
  const begin = useEffectEvent(() => {
    if (!opened) heading.current?.focus()
  })
  useEffect(() => begin(), [])
}

const tryAgainMs = 15_000

/**
 * Hands in once the time is over, and again until the server answers. The server's clock decides: it may answer with a new
 * deadline, as after maintenance.
 */
function useTimeOver({ secondsLeft }: SittingData, handIn: () => void) {
  const [over, setOver] = useState<SittingData['secondsLeft'] | null>(null)
  const again = useEffectEvent(handIn)
  useEffect(() => {
    if (over !== secondsLeft) return
    again()
    const timer = setInterval(again, tryAgainMs)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [over, secondsLeft])
  return () => setOver(secondsLeft)
}

/** Maintenance has moved the end: the page is asked for again, with the time left. */
function useNewDeadline(shown: string, said: string | null) {
  const { revalidate } = useRevalidator()
  const ask = useEffectEvent(() => void revalidate())
  useEffect(() => {
    if (said !== null && said !== shown) ask()
  }, [shown, said])
}
