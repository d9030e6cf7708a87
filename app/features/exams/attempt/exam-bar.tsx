import { Check, Clock, CloudOff, LoaderCircle, LogOut, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'
import type { AskedQuestion } from '~/features/courses/questions/question-kinds'
import { formatClock } from '~/ui/format-duration'
import { examMessages } from '../exam-messages'
import type { AnswerStatus, OpenAttempt } from '../exam-page-data'

type ExamBarProps = {
  title: string
  /** The current step, such as 'Question 3 of 8'. */
  position: string
  status: AnswerStatus
  isOnline: boolean
  openAttempt: OpenAttempt
  /** The form of the displayed question, which saves its answer when the learner leaves. */
  formId: string | null
  /** Whether the dialog about leaving is displayed. */
  isLeaving: boolean
  onTimeUp(): void
}

/** The bar above an exam: its title, the current step, the save status, the clock and the exit. */
export function ExamBar({
  title,
  position,
  status,
  isOnline,
  openAttempt,
  formId,
  isLeaving,
  onTimeUp,
}: ExamBarProps) {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas print:static">
      <div className="column grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 py-2 lg:grid-cols-[minmax(0,1fr)_auto_auto]">
        <h1 className="line-clamp-2 font-bold text-base leading-snug">{title}</h1>
        <div className="col-span-2 row-start-2 flex min-h-11 flex-wrap items-center justify-between gap-x-5 gap-y-1 lg:col-span-1 lg:col-start-2 lg:row-start-1">
          <p className="shrink-0 font-medium text-sm">{position}</p>
          <SaveStatus status={status} isOnline={isOnline} />
          <ExamClock openAttempt={openAttempt} onTimeUp={onTimeUp} />
        </div>
        {!isLeaving && (
          <ExamStep
            to="leave"
            formId={formId}
            isCurrent={false}
            className="-mr-3 inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold text-ink no-underline hover:bg-sunken"
          >
            <LogOut aria-hidden="true" size={18} /> Leave
          </ExamStep>
        )}
      </div>
    </header>
  )
}

const statusDisplays = {
  saved: { Icon: Check, className: 'text-muted' },
  saving: { Icon: LoaderCircle, className: 'text-muted' },
  refused: { Icon: CloudOff, className: 'text-bad' },
  unreachable: { Icon: CloudOff, className: 'text-warn', isLong: true },
  offline: { Icon: CloudOff, className: 'text-warn', isLong: true },
  'signed-out': { Icon: CloudOff, className: 'text-warn' },
  closed: { Icon: Check, className: 'text-muted' },
  idle: { Icon: CloudOff, className: 'text-warn' },
} as const satisfies Record<
  keyof typeof examMessages.saveStatusLabels,
  { Icon: LucideIcon; className: string; isLong?: boolean }
>

/**
 * The save status is not announced to screen readers, because it changes with every answer. On narrow
 * screens only its icon is visible. Notices below the bar explain problems.
 */
function SaveStatus({ status, isOnline }: { status: AnswerStatus; isOnline: boolean }) {
  const displayedStatus = getDisplayedStatus(status, isOnline)
  const { Icon, className } = statusDisplays[displayedStatus]
  const visibilityClass =
    'isLong' in statusDisplays[displayedStatus] ? 'max-[32rem]:sr-only' : 'max-[22rem]:sr-only'

  return (
    <p
      data-status={status}
      className={`flex min-w-0 items-center gap-1.5 font-medium text-sm leading-tight ${className}`}
    >
      <Icon aria-hidden="true" size={16} className="shrink-0" />
      <span className={visibilityClass}>{examMessages.saveStatusLabels[displayedStatus]}</span>
    </p>
  )
}

type ExamClockProps = { openAttempt: OpenAttempt; onTimeUp(): void }

/** The remaining time. Screen readers announce it at a few fixed times only. */
function ExamClock({ openAttempt, onTimeUp }: ExamClockProps) {
  const [announcement, setAnnouncement] = useState('')
  const secondsLeft = useSecondsLeft(openAttempt, (previousSeconds, currentSeconds) => {
    const newAnnouncement = getTimeAnnouncement(previousSeconds, currentSeconds)
    if (newAnnouncement) {
      setAnnouncement(newAnnouncement)
    }

    if (currentSeconds === 0) {
      onTimeUp()
    }
  })
  const className = getClockClassName(secondsLeft)

  return (
    <>
      <p
        className={`inline-flex shrink-0 items-center gap-2 whitespace-nowrap rounded-full px-3.5 py-1.5 font-semibold ${className}`}
      >
        <Clock aria-hidden="true" size={18} className="shrink-0" />
        <span className="sr-only">Time left</span>
        <span role="timer" className="tabular-nums">
          {formatClock(Math.ceil(secondsLeft))}
        </span>
        <span className="hidden font-medium text-sm noscript:inline">when this page opened</span>
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  )
}

/**
 * Returns what a screen reader announces when the remaining time passes 5 minutes, 1 minute or zero.
 * A browser that slept past several of these times announces only the latest.
 */
export function getTimeAnnouncement(
  previousSeconds: number,
  currentSeconds: number,
): string | null {
  const announcedTimes = [0, 60, 300]
  const passedTime = announcedTimes.find(
    (seconds) => previousSeconds > seconds && currentSeconds <= seconds,
  )
  return passedTime === undefined ? null : (examMessages.timeAnnouncements[passedTime] ?? null)
}

type Deadline = {
  /** The deadline as an ISO date-time. */
  deadlineAt: string
  /** The seconds until the deadline by the server's clock at the time of the response. */
  secondsLeft: number
}

/**
 * If the device's two clocks drift further apart than this, the device slept or its clock was set.
 */
const maxClockDriftMs = 2_000

/**
 * Counts the remaining seconds with the monotonic clock, which the learner can't set. That clock may
 * stop while the device sleeps, so after a sleep the time is synchronized with the server.
 *
 * @param onTick receives the previous and the current number of seconds, once a second until zero
 */
function useSecondsLeft(
  { deadlineAt, secondsLeft: initialSeconds }: Deadline,
  onTick: (previousSeconds: number, currentSeconds: number) => void,
): number {
  const [secondsLeft, setSecondsLeft] = useState(initialSeconds)
  const handleTick = useEffectEvent(onTick)

  useEffect(() => {
    let endsAt = performance.now() + initialSeconds * 1000
    let clockOffset = Date.now() - performance.now()
    let previousSeconds = initialSeconds
    let synchronization: 'done' | 'needed' | 'running' = 'done'

    const synchronize = async () => {
      synchronization = 'running'
      const serverNow = await fetchServerTime()
      if (serverNow === null) {
        // The network may not be ready yet after a sleep. The next tick tries again.
        synchronization = 'needed'
        return
      }

      endsAt = performance.now() + Date.parse(deadlineAt) - serverNow
      synchronization = 'done'
    }

    const tick = () => {
      const currentOffset = Date.now() - performance.now()
      const haveClocksDrifted = Math.abs(currentOffset - clockOffset) > maxClockDriftMs
      clockOffset = currentOffset
      if (haveClocksDrifted && synchronization === 'done') {
        synchronization = 'needed'
      }

      if (synchronization === 'needed') {
        void synchronize()
      }

      const currentSeconds = Math.max(0, (endsAt - performance.now()) / 1000)
      if (currentSeconds === 0) {
        clearInterval(timer)
      }

      handleTick(previousSeconds, currentSeconds)
      previousSeconds = currentSeconds
      setSecondsLeft(currentSeconds)
    }
    const timer = setInterval(tick, 1000)

    return () => clearInterval(timer)
  }, [deadlineAt, initialSeconds])

  return secondsLeft
}

/**
 * Returns the server's time in milliseconds since 1970, rounded to seconds, or null if the server can't
 * be reached.
 */
async function fetchServerTime(): Promise<number | null> {
  try {
    const { headers } = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' })
    const serverTime = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(serverTime) ? null : serverTime
  } catch {
    return null
  }
}

function getClockClassName(secondsLeft: number): string {
  if (secondsLeft <= 60) {
    return 'bg-bad-soft text-bad'
  }

  return secondsLeft <= 300 ? 'bg-warn-soft text-warn' : 'bg-sunken text-ink'
}

function getDisplayedStatus(status: AnswerStatus, isOnline: boolean) {
  if (status === 'offline' && isOnline) {
    return 'unreachable'
  }

  return status === 'saved' && !isOnline ? 'idle' : status
}

type ExamNavigationProps = {
  questions: readonly AskedQuestion[]
  /** The number of the displayed question, or null on the review. */
  current: number | null
  /** Questions are numbered from 1. */
  isAnswered(questionNumber: number): boolean
  /** The form of the displayed question. Its buttons save the answer, even without JavaScript. */
  formId: string | null
}

const stepClasses =
  'relative grid h-11 w-full place-items-center rounded-control border font-semibold no-underline aria-[current=step]:border-accent aria-[current=step]:ring-2 aria-[current=step]:ring-accent'
const unansweredClasses = 'border-edge text-ink hover:border-ink'

/** Links to every question and shows which of them are answered. */
export function ExamNavigation({ questions, current, isAnswered, formId }: ExamNavigationProps) {
  const answeredQuestions = questions.filter((_, index) => isAnswered(index + 1))

  return (
    <nav aria-label="Questions" className="card p-5 lg:sticky lg:top-23">
      <p className="mb-3 text-muted text-sm">
        {formatAnsweredCount(answeredQuestions.length, questions.length)}
      </p>
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-2">
        {questions.map((question, index) => (
          <li key={question.prompt}>
            <ExamStep
              to={String(index + 1)}
              formId={formId}
              isCurrent={index + 1 === current}
              label={formatQuestionLabel(index + 1, isAnswered(index + 1))}
              className={`${stepClasses} ${isAnswered(index + 1) ? 'border-accent bg-accent-soft text-accent-strong' : unansweredClasses}`}
            >
              {index + 1}
              {isAnswered(index + 1) && (
                <Check aria-hidden="true" size={12} className="absolute top-1 right-1" />
              )}
            </ExamStep>
          </li>
        ))}
      </ol>
      <div className="mt-4">
        <ExamStep
          to="review"
          formId={formId}
          isCurrent={current === null}
          className={`${stepClasses} ${unansweredClasses}`}
        >
          Review and submit
        </ExamStep>
      </div>
    </nav>
  )
}

type ExamStepProps = {
  /** The number of a question, `review`, or `leave`. */
  to: string
  formId: string | null
  isCurrent: boolean
  label?: string
  className: string
  children: ReactNode
}

/**
 * A link to another step of the exam. On a question it is a button of the question's form, so that it
 * saves the answer.
 */
function ExamStep({ to, formId, isCurrent, label, className, children }: ExamStepProps) {
  const sharedProps = {
    'aria-label': label,
    'aria-current': isCurrent ? ('step' as const) : undefined,
    className,
  }

  if (formId) {
    return (
      <button type="submit" form={formId} name="go" value={to} {...sharedProps}>
        {children}
      </button>
    )
  }

  const search = to === 'leave' ? '?question=leave&from=review' : `?question=${to}`

  return (
    <Link to={search} preventScrollReset {...sharedProps}>
      {children}
    </Link>
  )
}

function formatQuestionLabel(questionNumber: number, isAnswered: boolean): string {
  return isAnswered
    ? `Question ${questionNumber}, answered`
    : `Question ${questionNumber}, not answered`
}

function formatAnsweredCount(answered: number, count: number): ReactNode {
  return (
    <>
      <strong className="font-semibold text-ink">{answered}</strong> of {count} answered
    </>
  )
}
