import { Check, CloudOff, LoaderCircle } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useSearchParams, useSubmit } from 'react-router'
import { Notice } from '~/ui/notice'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { readAnswer } from './exam-answer'
import type { AnswerStatus } from './exam-answer-saver'
import { ExamClock } from './exam-clock'
import { ExamNavigation } from './exam-navigation'
import type { ExamOverview, SittingData } from './exam-page-data'
import { ExamQuestionForm, questionFormId } from './exam-question-form'
import { ExamReview } from './exam-review'
import { useExamAnswers } from './use-exam-answers'

type ExamSittingProps = {
  overview: ExamOverview
  sitting: SittingData
  /** The last attempt to submit did not reach the server. */
  unreachable: boolean
}

/** The exam in progress: one question at a time, the clock, and a review before submitting. */
export function ExamSitting({ overview, sitting, unreachable }: ExamSittingProps) {
  const { course, exam } = overview
  const { questions, attemptId } = sitting
  const [search, setSearch] = useSearchParams()
  const submit = useSubmit()
  const answers = useExamAnswers(sitting)
  const [problem, setProblem] = useState<string | null>(null)
  const shown = search.get('question')
  const index = Math.min(Math.max(Number(shown) || 1, 1), questions.length) - 1
  const question = questions[index]
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(shown, heading)

  const goTo = (to: string) => {
    void answers.flush()
    setSearch({ question: to }, { preventScrollReset: true })
  }
  const handIn = async (because = 'asked') => {
    setProblem(null)
    if (await answers.flush()) await submit({ intent: 'hand-in', attempt: attemptId, because }, { method: 'post' })
    else setProblem('Your latest answers haven’t been saved yet. Check your connection, then submit again.')
  }
  const onTimeOver = useTimeOver(sitting, () => void handIn('time-over'))
  const isAnswered = (number: number) => {
    const [asked, value] = [questions[number - 1], answers.values[number - 1]]
    return asked !== undefined && (readAnswer(asked, value) ?? null) !== null
  }

  return (
    <div className="column py-8 sm:py-10">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="eyebrow">{course.title}</p>
          <h1 className="font-bold text-2xl">{exam.title}</h1>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <SaveState status={answers.status} />
          <ExamClock sitting={sitting} onOver={onTimeOver} />
        </div>
      </div>
      <Notices
        status={answers.status}
        tooLate={answers.tooLate}
        problem={unreachable ? 'We couldn’t reach Learnify. Check your connection, then submit again.' : problem}
        page={`/Exam/${course.id}`}
        attemptId={attemptId}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_17rem]">
        {shown === 'review' || !question ? (
          <ExamReview
            headingRef={heading}
            attemptId={attemptId}
            questions={questions}
            isAnswered={isAnswered}
            onHandIn={() => handIn()}
          />
        ) : (
          <ExamQuestionForm
            key={index}
            headingRef={heading}
            attemptId={attemptId}
            question={question}
            number={index + 1}
            count={questions.length}
            closed={answers.status === 'closed'}
            value={answers.values[index] ?? null}
            onAnswer={(value, typed) => answers.give(index + 1, value, typed)}
            onGo={goTo}
          />
        )}
        <ExamNavigation
          questions={questions}
          current={shown === 'review' ? null : index}
          isAnswered={isAnswered}
          formId={shown === 'review' ? null : questionFormId}
        />
      </div>
    </div>
  )
}

/**
 * Hands in once the time is over, and again when the network comes back. The server's clock decides: it may answer with
 * a new deadline, as it sees it.
 */
function useTimeOver({ secondsLeft }: SittingData, handIn: () => void) {
  const [over, setOver] = useState<SittingData['secondsLeft'] | null>(null)
  const again = useEffectEvent(handIn)
  useEffect(() => {
    if (over !== secondsLeft) return
    again()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [over, secondsLeft])
  return () => setOver(secondsLeft)
}

const states = {
  saved: { text: 'Saved', Icon: Check, look: 'text-muted' },
  saving: { text: 'Saving', Icon: LoaderCircle, look: 'text-muted' },
  refused: { text: 'Not saved', Icon: CloudOff, look: 'text-bad' },
  offline: { text: 'Not saved yet', Icon: CloudOff, look: 'text-warn' },
  'signed-out': { text: 'Not saved yet', Icon: CloudOff, look: 'text-warn' },
  closed: { text: 'Submitted', Icon: Check, look: 'text-muted' },
} as const

/** 'Saving' is not announced, because it would be for every answer. */
function SaveState({ status }: { status: AnswerStatus }) {
  const { text, Icon, look } = states[status]
  return (
    <p data-status={status} className={`flex items-center gap-1.5 font-medium text-sm ${look}`}>
      <Icon aria-hidden="true" size={16} />
      {text}
    </p>
  )
}

type NoticesProps = {
  status: AnswerStatus
  tooLate: readonly number[]
  problem: string | null
  /** The exam's address. */
  page: string
  attemptId: string
}

function Notices({ status, tooLate, problem, page, attemptId }: NoticesProps) {
  const sentence = problem ?? sentences[status]
  return (
    <div role="status" className="empty:hidden">
      {status === 'closed' && (
        <Notice look="info" className="mb-6">
          This exam has been submitted. {tooLate.length > 0 && tooLateText(tooLate)}{' '}
          <Link to={`${page}/${attemptId}`} className="font-semibold underline underline-offset-2">
            See your result
          </Link>
        </Notice>
      )}
      {status === 'signed-out' && (
        <Notice look="warn" className="mb-6">
          You’ve been signed out.{' '}
          <Link
            to={`/Login?${new URLSearchParams({ from: page })}`}
            className="font-semibold underline underline-offset-2"
          >
            Sign in again
          </Link>{' '}
          to save your answers. The clock is still running.
        </Notice>
      )}
      {sentence && status !== 'closed' && status !== 'signed-out' && (
        <Notice look="warn" className="mb-6">
          {sentence}
        </Notice>
      )}
    </div>
  )
}

const sentences: Partial<Record<AnswerStatus, string>> = {
  offline:
    'No connection. Your answers are kept on this device and will be sent when you reconnect. The clock is still running.',
  refused: 'We couldn’t save this answer. Please enter it again.',
}

function tooLateText(questions: readonly number[]): string {
  const [last, ...others] = questions.toSorted((a, b) => b - a)
  const numbers = others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : `${last}`
  return others.length > 0
    ? `Your last answers to questions ${numbers} were too late to count.`
    : `Your last answer to question ${numbers} was too late to count.`
}
