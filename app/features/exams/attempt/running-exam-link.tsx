import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { formatClock } from '~/ui/format-duration'

type RunningExamLinkProps = {
  courseId: string
  /** When the exam ends, in milliseconds of `performance.now()`. */
  endsAt: number
  /** Whether the link takes the place of the course's main button. */
  isWide?: boolean
}

/** Links to an exam in progress. It disappears once the time has run out. */
export function RunningExamLink({ courseId, endsAt, isWide = false }: RunningExamLinkProps) {
  const secondsLeft = useSecondsUntil(endsAt)
  if (secondsLeft <= 0) {
    return null
  }

  const shapeClasses = isWide
    ? 'flex min-h-13 w-full justify-center rounded-control px-4 py-1.5 text-center leading-tight'
    : 'inline-flex min-h-11 rounded-control px-3.5 text-sm'

  return (
    <Link
      to={`/Exam/${courseId}`}
      className={`items-center gap-2 bg-warn-soft font-semibold text-warn underline-offset-4 hover:underline ${shapeClasses}`}
    >
      <Clock aria-hidden="true" size={18} className="shrink-0" />
      <span className="tabular-nums">Exam running, {formatClock(secondsLeft)} left</span>
    </Link>
  )
}

function useSecondsUntil(endsAt: number): number {
  const [now, setNow] = useState(() => performance.now())
  const isOver = now >= endsAt
  useEffect(() => {
    if (isOver) {
      return
    }

    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [isOver])

  return Math.ceil((endsAt - now) / 1000)
}
