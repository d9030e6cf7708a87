import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigationType, useRevalidator, useSearchParams, useSubmit } from 'react-router'
import { readAnswer } from '~/features/courses/questions/question-kinds'
import { useOnline } from '~/ui/connection'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { notSubmitted, questionPlace } from '../exam-messages'
import type { ExamOverview, OpenAttempt } from '../exam-page-data'
import { ExamBar } from './exam-bar'
import { ExamNavigation } from './exam-navigation'
import { ExamNotices } from './exam-notices'
import { ExamQuestionForm, nextStep, questionFormId } from './exam-question-form'
import { ExamLeave, ExamReview } from './exam-review'
import { useExamAnswers } from './use-exam-answers'

type ExamAttemptPageProps = {
  uid: string
  overview: ExamOverview
  openAttempt: OpenAttempt
  /** The last attempt to submit did not reach the server. */
  unreachable: boolean
}

/**
 * The exam in progress, alone on the screen: one question at a time, the clock, and a review before
 * submitting.
 */
export function ExamAttemptPage({ uid, overview, openAttempt, unreachable }: ExamAttemptPageProps) {
  const { questions, attemptId } = openAttempt
  const place = useExamPlace(openAttempt)
  const { step, number } = place
  const online = useOnline()
  const answers = useExamAnswers(uid, openAttempt)
  const { problem, handIn } = useHandIn(attemptId, answers.flush)
  useNewDeadline(openAttempt.deadlineAt, answers.deadlineAt)
  const onTimeOver = useTimeOver(openAttempt, () => void handIn('time-over'))
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
        openAttempt={openAttempt}
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
          pausedSeconds={openAttempt.pausedSeconds}
          page={`/Exam/${overview.course.id}`}
          attemptId={attemptId}
        />
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_17rem]">
          <AttemptStep
            openAttempt={openAttempt}
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

/**
 * Enter in a text field presses a form's first button; without this one, that would be the bar's
 * exit.
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
  place: ReturnType<typeof useExamPlace>
  answers: ReturnType<typeof useExamAnswers>
  isAnswered(question: number): boolean
  onHandIn(): Promise<void>
}

/** The question, the review of all, or the dialog about leaving; its heading gets the focus. */
function AttemptStep({
  openAttempt,
  timezone,
  place,
  answers,
  isAnswered,
  onHandIn,
}: AttemptStepProps) {
  const { questions, attemptId } = openAttempt
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
    const { deadlineAt } = openAttempt
    return (
      <ExamLeave
        headingRef={heading}
        deadlineAt={deadlineAt}
        timezone={timezone}
        from={from}
        status={answers.status}
      />
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

/** @param flush sends unsaved answers; false if that failed. */
function useHandIn(attemptId: string, flush: () => Promise<boolean>) {
  const submit = useSubmit()
  const [problem, setProblem] = useState<string | null>(null)
  const handIn = async (because = 'asked') => {
    setProblem(null)
    if (await flush()) {
      await submit({ intent: 'hand-in', attempt: attemptId, because }, { method: 'post' })
    } else {
      setProblem(notSubmitted.answersWaiting)
    }
  }

  return { problem, handIn }
}

/**
 * Moves the focus on, because the button that started the exam is gone. A page that was opened
 * directly doesn't move it.
 */
function useFocusAtStart(heading: RefObject<HTMLHeadingElement | null>) {
  const opened = useNavigationType() === 'POP'
  const begin = useEffectEvent(() => {
    if (!opened) {
      heading.current?.focus()
    }
  })

  useEffect(() => begin(), [])
}

const tryAgainMs = 15_000

/**
 * Hands in once the time is over, and again until the server answers. The server's clock decides:
 * it may answer with a new deadline, as after maintenance.
 */
function useTimeOver({ secondsLeft }: OpenAttempt, handIn: () => void) {
  const [over, setOver] = useState<OpenAttempt['secondsLeft'] | null>(null)
  const again = useEffectEvent(handIn)
  useEffect(() => {
    if (over !== secondsLeft) {
      return
    }

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

/** Maintenance has moved the deadline: reloads the page's data with the new time left. */
function useNewDeadline(shown: string, said: string | null) {
  const { revalidate } = useRevalidator()
  const ask = useEffectEvent(() => void revalidate())
  useEffect(() => {
    if (said !== null && said !== shown) {
      ask()
    }
  }, [shown, said])
}

type ExamStep = 'question' | 'review' | 'leave'

/**
 * The current step of a running exam, from the address. Without one, the exam continues at the
 * learner's last question: in this browser exactly, elsewhere at the question that was answered
 * last.
 */
function useExamPlace({ attemptId, questions, resumeAt }: OpenAttempt) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('question')
  const step: ExamStep = asked === 'review' || asked === 'leave' ? asked : 'question'
  const numberIn = (text: string | null) =>
    Math.min(Math.max(Number(text) || resumeAt, 1), questions.length)
  const from = search.get('from')
  const number = numberIn(step === 'leave' ? from : asked)
  const resume = useEffectEvent(() => {
    const stored = asked === null ? readPlace(attemptId) : null
    if (stored !== null && stored !== number) {
      setSearch({ question: String(numberIn(String(stored))) }, { replace: true })
    }
  })

  useEffect(() => resume(), [])
  useEffect(() => {
    if (asked !== null && step === 'question') {
      storePlace(attemptId, number)
    }
  }, [attemptId, asked, step, number])
  const goTo = (to: string) => {
    const here = step === 'question' ? String(number) : step
    setSearch(to === 'leave' ? { question: to, from: here } : { question: to }, {
      preventScrollReset: true,
    })
  }

  return { step, number, from: from === 'review' ? from : String(number), goTo }
}

const storageKey = 'learnify-exam-place'

/** Remembers the current question in this browser, for the latest attempt only. */
function storePlace(attemptId: string, question: number): void {
  try {
    localStorage.setItem(storageKey, `${attemptId} ${question}`)
  } catch {}
}

/** @returns the number of a question from 1, or null if none is stored. */
function readPlace(attemptId: string): number | null {
  try {
    const [attempt, question] = (localStorage.getItem(storageKey) ?? '').split(' ')
    return (attempt === attemptId && Number(question)) || null
  } catch {
    return null
  }
}
