import { Check, CloudOff, LoaderCircle, LogOut, type LucideIcon } from 'lucide-react'
import { examMessages } from '../exam-messages'
import type { AnswerStatus, OpenAttempt } from '../exam-page-data'
import { ExamClock } from './exam-clock'
import { ExamStepLink } from './exam-navigation'

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
          <ExamStepLink
            step="leave"
            formId={formId}
            isCurrent={false}
            className="-mr-3 inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold text-ink no-underline hover:bg-sunken"
          >
            <LogOut aria-hidden="true" size={18} /> Leave
          </ExamStepLink>
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
 * The save status is not announced to screen readers, because it changes with every answer. On
 * narrow screens only its icon is visible. Notices below the bar explain problems.
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

function getDisplayedStatus(status: AnswerStatus, isOnline: boolean) {
  if (status === 'offline' && isOnline) {
    return 'unreachable'
  }

  return status === 'saved' && !isOnline ? 'idle' : status
}
