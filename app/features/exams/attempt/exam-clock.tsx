import { Clock } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { formatClock } from '~/ui/format-duration'
import { examMessages } from '../exam-messages'
import type { OpenAttempt } from '../exam-page-data'

type ExamClockProps = { openAttempt: OpenAttempt; onTimeUp(): void }

/** The remaining time. Screen readers announce it at a few fixed times only. */
export function ExamClock({ openAttempt, onTimeUp }: ExamClockProps) {
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
 * Returns what a screen reader announces when the remaining time passes 5 minutes, 1 minute or
 * zero. A browser that slept past several of these times announces only the latest.
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

function getClockClassName(secondsLeft: number): string {
  if (secondsLeft <= 60) {
    return 'bg-bad-soft text-bad'
  }

  return secondsLeft <= 300 ? 'bg-warn-soft text-warn' : 'bg-sunken text-ink'
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
 * Counts the remaining seconds with the monotonic clock, which the learner can't set. That clock
 * may stop while the device sleeps, so after a sleep the time is synchronized with the server.
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
 * Returns the server's time in milliseconds since 1970, rounded to seconds, or null if the server
 * can't be reached.
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
