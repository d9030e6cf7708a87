import { Check, Clock, CloudOff, LoaderCircle, LogOut, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { clockText } from '~/ui/format-duration'
import type { AnswerStatus } from './exam-answer-saver'
import { saveStates } from './exam-messages'
import { ExamStep } from './exam-navigation'
import type { SittingData } from './exam-page-data'
import { announcementAt } from './exam-time'
import { useSecondsLeft } from './use-seconds-left'

type ExamBarProps = {
  title: string
  /** Where the learner is: 'Question 3 of 8'. */
  place: string
  status: AnswerStatus
  online: boolean
  sitting: SittingData
  /** The form of the question that is shown, which saves its answer on the way out. */
  formId: string | null
  /** The learner is asked about leaving already. */
  leaving: boolean
  onOver(): void
}

/** All that frames a running exam: what it is, where one is, what is saved, the time left and the way out. */
export function ExamBar({ title, place, status, online, sitting, formId, leaving, onOver }: ExamBarProps) {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas print:static">
      <div className="column grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 py-2 lg:grid-cols-[minmax(0,1fr)_auto_auto]">
        <h1 className="line-clamp-2 font-bold text-base leading-snug">{title}</h1>
        <div className="col-span-2 row-start-2 flex min-h-11 flex-wrap items-center justify-between gap-x-5 gap-y-1 lg:col-span-1 lg:col-start-2 lg:row-start-1">
          <p className="shrink-0 font-medium text-sm">{place}</p>
          <SaveState status={status} online={online} />
          <ExamClock sitting={sitting} onOver={onOver} />
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

const looks = {
  saved: { Icon: Check, look: 'text-muted' },
  saving: { Icon: LoaderCircle, look: 'text-muted' },
  refused: { Icon: CloudOff, look: 'text-bad' },
  unreachable: { Icon: CloudOff, look: 'text-warn', isLong: true },
  offline: { Icon: CloudOff, look: 'text-warn', isLong: true },
  'signed-out': { Icon: CloudOff, look: 'text-warn' },
  closed: { Icon: Check, look: 'text-muted' },
  idle: { Icon: CloudOff, look: 'text-warn' },
} as const satisfies Record<keyof typeof saveStates, { Icon: LucideIcon; look: string; isLong?: boolean }>

/**
 * 'Saving' is not announced, because it would be for every answer. Where a text doesn't fit the bar, its icon stands
 * alone: the notices say what is wrong.
 */
function SaveState({ status, online }: { status: AnswerStatus; online: boolean }) {
  const state = status === 'offline' && online ? 'unreachable' : status === 'saved' && !online ? 'idle' : status
  const { Icon, look } = looks[state]
  const fit = 'isLong' in looks[state] ? 'max-[32rem]:sr-only' : 'max-[22rem]:sr-only'
  return (
    <p data-status={status} className={`flex min-w-0 items-center gap-1.5 font-medium text-sm leading-tight ${look}`}>
      <Icon aria-hidden="true" size={16} className="shrink-0" />
      <span className={fit}>{saveStates[state]}</span>
    </p>
  )
}

type ExamClockProps = { sitting: SittingData; onOver(): void }

/** The time left. A screen reader hears of it at 5 minutes and at 1 minute, and not every second. */
function ExamClock({ sitting, onOver }: ExamClockProps) {
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
