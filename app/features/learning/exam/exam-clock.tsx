import { Clock } from 'lucide-react'
import { useState } from 'react'
import { clockText } from '~/ui/duration-text'
import type { SittingData } from './exam-page-data'
import { announcementAt } from './exam-time'
import { useSecondsLeft } from './use-seconds-left'

type ExamClockProps = { sitting: SittingData; onOver(): void }

/** The time left. A screen reader hears of it at 5 minutes and at 1 minute, and not every second. */
export function ExamClock({ sitting, onOver }: ExamClockProps) {
  const [spoken, setSpoken] = useState('')
  const left = useSecondsLeft(sitting, (before, now) => {
    const sentence = announcementAt(before, now)
    if (sentence) setSpoken(sentence)
    if (now === 0) onOver()
  })
  const look = left <= 60 ? 'bg-bad-soft text-bad' : left <= 300 ? 'bg-warn-soft text-warn' : 'bg-sunken text-ink'
  return (
    <>
      <p
        className={`inline-flex shrink-0 items-center gap-2 whitespace-nowrap rounded-full px-3.5 py-1.5 font-semibold ${look}`}
      >
        <Clock aria-hidden="true" size={18} className="shrink-0" />
        <span className="sr-only">Time left</span>
        <span role="timer" className="tabular-nums">
          {clockText(Math.ceil(left))}
        </span>
        <span className="hidden font-medium text-sm noscript:inline">when this page opened</span>
      </p>
      <p role="status" className="sr-only">
        {spoken}
      </p>
    </>
  )
}
