import { Clock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { announcementAt, clockText } from './exam-time'

type ExamClockProps = {
  /** By the server's clock, when it made the page. */
  secondsLeft: number
  onOver(): void
}

/** The time left. A screen reader hears of it at 5 minutes and at 1 minute, and not every second. */
export function ExamClock({ secondsLeft, onOver }: ExamClockProps) {
  const [left, setLeft] = useState(secondsLeft)
  const [spoken, setSpoken] = useState('')
  const over = useRef(onOver)
  useEffect(() => {
    over.current = onOver
  }, [onOver])
  useEffect(() => {
    const endsAt = Date.now() + secondsLeft * 1000
    let before = secondsLeft
    const tick = () => {
      const now = Math.max(0, (endsAt - Date.now()) / 1000)
      const sentence = announcementAt(before, now)
      if (sentence) setSpoken(sentence)
      if (now === 0) {
        clearInterval(timer)
        over.current()
      }
      before = now
      setLeft(now)
    }
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [secondsLeft])
  const look = left <= 60 ? 'bg-bad-soft text-bad' : left <= 300 ? 'bg-warn-soft text-warn' : 'bg-sunken text-ink'
  return (
    <>
      <p className={`inline-flex items-center gap-2 rounded-full px-3.5 py-1.5 font-semibold ${look}`}>
        <Clock aria-hidden="true" size={18} />
        <span className="sr-only">Time left</span>
        <span role="timer" className="tabular-nums">
          {clockText(left)}
        </span>
      </p>
      <p role="status" className="sr-only">
        {spoken}
      </p>
    </>
  )
}
