import { Check, Clock, CloudOff, LoaderCircle, LogOut, type LucideIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { formatClock } from '~/ui/format-duration'
import { saveStates } from '../exam-messages'
import type { OpenAttempt } from '../exam-page-data'
import { announcementAt } from './attempt-rules'
import { ExamStep } from './exam-navigation'
import type { AnswerStatus } from './use-exam-answers'

type ExamBarProps = {
  title: string
  /** Where the learner is: 'Question 3 of 8'. */
  place: string
  status: AnswerStatus
  online: boolean
  openAttempt: OpenAttempt
  /** The form of the question that is shown, which saves its answer on the way out. */
  formId: string | null
  /** The learner is asked about leaving already. */
  leaving: boolean
  onOver(): void
}

/**
 * The frame of a running exam: its title, the current question, the save status, the time left and
 * the exit.
 */
export function ExamBar({
  title,
  place,
  status,
  online,
  openAttempt,
  formId,
  leaving,
  onOver,
}: ExamBarProps) {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas print:static">
      <div className="column grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 py-2 lg:grid-cols-[minmax(0,1fr)_auto_auto]">
        <h1 className="line-clamp-2 font-bold text-base leading-snug">{title}</h1>
        <div className="col-span-2 row-start-2 flex min-h-11 flex-wrap items-center justify-between gap-x-5 gap-y-1 lg:col-span-1 lg:col-start-2 lg:row-start-1">
          <p className="shrink-0 font-medium text-sm">{place}</p>
          <SaveState status={status} online={online} />
          <ExamClock openAttempt={openAttempt} onOver={onOver} />
        </div>
        {!leaving && (
          <ExamStep
            to="leave"
            formId={formId}
            current={false}
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
  keyof typeof saveStates,
  { Icon: LucideIcon; className: string; isLong?: boolean }
>

/**
 * 'Saving' is not announced, because it would be for every answer. Where a text doesn't fit the
 * bar, only its icon shows: the notices explain the problem.
 */
function SaveState({ status, online }: { status: AnswerStatus; online: boolean }) {
  const state = getShownStatus(status, online)
  const { Icon, className } = statusDisplays[state]
  const fit = 'isLong' in statusDisplays[state] ? 'max-[32rem]:sr-only' : 'max-[22rem]:sr-only'

  return (
    <p
      data-status={status}
      className={`flex min-w-0 items-center gap-1.5 font-medium text-sm leading-tight ${className}`}
    >
      <Icon aria-hidden="true" size={16} className="shrink-0" />
      <span className={fit}>{saveStates[state]}</span>
    </p>
  )
}

type ExamClockProps = { openAttempt: OpenAttempt; onOver(): void }

/**
 * The time left. A screen reader hears of it at 5 minutes and at 1 minute, and not every second.
 */
function ExamClock({ openAttempt, onOver }: ExamClockProps) {
  const [spoken, setSpoken] = useState('')
  const left = useSecondsLeft(openAttempt, (before, now) => {
    const sentence = announcementAt(before, now)
    if (sentence) {
      setSpoken(sentence)
    }

    if (now === 0) {
      onOver()
    }
  })
  const className = getClockClassName(left)

  return (
    <>
      <p
        className={`inline-flex shrink-0 items-center gap-2 whitespace-nowrap rounded-full px-3.5 py-1.5 font-semibold ${className}`}
      >
        <Clock aria-hidden="true" size={18} className="shrink-0" />
        <span className="sr-only">Time left</span>
        <span role="timer" className="tabular-nums">
          {formatClock(Math.ceil(left))}
        </span>
        <span className="hidden font-medium text-sm noscript:inline">when this page opened</span>
      </p>
      <p role="status" className="sr-only">
        {spoken}
      </p>
    </>
  )
}

type Deadline = {
  /** ISO date-time. */
  deadlineAt: string
  /** By the server's clock, when it made the page. */
  secondsLeft: number
}

/**
 * A larger difference between the device's two clocks, in milliseconds, means that it slept or that
 * its clock was set.
 */
const doubtMs = 2_000

/**
 * The seconds left, by a clock that can't be set. That clock may stop while the device sleeps;
 * afterwards the server is asked for the time.
 *
 * @param onSecond gets the seconds left before and now, once a second until there are none.
 */
function useSecondsLeft(
  { deadlineAt, secondsLeft }: Deadline,
  onSecond: (before: number, now: number) => void,
): number {
  const [left, setLeft] = useState(secondsLeft)
  const tell = useEffectEvent(onSecond)
  useEffect(() => {
    let endsAt = performance.now() + secondsLeft * 1000
    let gap = Date.now() - performance.now()
    let before = secondsLeft
    let doubt: 'none' | 'open' | 'asking' = 'none'
    const ask = async () => {
      doubt = 'asking'
      const serverNow = await serverTime()
      if (serverNow !== null) {
        endsAt = performance.now() + Date.parse(deadlineAt) - serverNow
      }

      // After a sleep, the network may not be ready yet: retry at the next second.
      doubt = serverNow === null ? 'open' : 'none'
    }
    const tick = () => {
      const nowGap = Date.now() - performance.now()
      if (Math.abs(nowGap - gap) > doubtMs && doubt === 'none') {
        doubt = 'open'
      }

      if (doubt === 'open') {
        void ask()
      }

      gap = nowGap
      const now = Math.max(0, (endsAt - performance.now()) / 1000)
      if (now === 0) {
        clearInterval(timer)
      }

      tell(before, now)
      before = now
      setLeft(now)
    }
    const timer = setInterval(tick, 1000)

    return () => clearInterval(timer)
  }, [deadlineAt, secondsLeft])

  return left
}

/**
 * @returns milliseconds since 1970 by the server's clock, to the second; null without a connection.
 */
async function serverTime(): Promise<number | null> {
  try {
    const { headers } = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' })
    const serverTime = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(serverTime) ? null : serverTime
  } catch {
    return null
  }
}

/** @param secondsLeft until the end of the exam */
function getClockClassName(secondsLeft: number): string {
  if (secondsLeft <= 60) {
    return 'bg-bad-soft text-bad'
  }

  return secondsLeft <= 300 ? 'bg-warn-soft text-warn' : 'bg-sunken text-ink'
}

function getShownStatus(status: AnswerStatus, isOnline: boolean) {
  if (status === 'offline' && isOnline) {
    return 'unreachable'
  }

  return status === 'saved' && !isOnline ? 'idle' : status
}
