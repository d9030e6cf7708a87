import { Flame } from 'lucide-react'
import type { StudyDay } from '~/features/learning/progress/study-time'
import { formatCount } from '~/ui/format-count'
import { formatWeekday } from '~/ui/format-date'
import { profileMessages } from './profile-messages'

type StreakCardProps = {
  currentDays: number
  longestDays: number
  /** The latest days, at least 14, oldest first. The last day is today. */
  days: readonly StudyDay[]
}

/**
 * Shows on how many days in a row the learner studied, and the last two weeks as dots. The dots are
 * hidden from screen readers, because the table of the study chart has the same information.
 */
export function StreakCard({ currentDays, longestDays, days }: StreakCardProps) {
  const hasStudiedToday = days.at(-1)?.hasStudied ?? false
  const lastWeek = days.slice(-7)
  const lastTwoWeeks = days.slice(-14)

  return (
    <section aria-labelledby="streak" className="card flex flex-col p-5 sm:p-6">
      <h2 id="streak" className="font-bold text-lg">
        Streak
      </h2>
      <p className="mt-4 flex items-center gap-3">
        <span
          aria-hidden="true"
          className="grid size-12 place-items-center rounded-full bg-warn-soft text-warn"
        >
          <Flame size={24} />
        </span>
        <span className="leading-tight">
          <strong className="block font-bold text-3xl tabular-nums tracking-tight">
            {formatCount(currentDays, 'day', 'days')}
          </strong>
          <span className="text-muted text-sm">in a row</span>
        </span>
      </p>
      <div aria-hidden="true" className="mt-6 grid max-w-80 grid-cols-7 gap-2">
        {lastWeek.map(({ day }) => (
          <span key={day} className="text-center text-muted text-xs">
            {formatWeekday(day).slice(0, 1)}
          </span>
        ))}
        {lastTwoWeeks.map(({ day, hasStudied }) => (
          <StreakDot key={day} hasStudied={hasStudied} />
        ))}
      </div>
      <p className="mt-auto pt-5 text-muted text-sm">
        {getStreakAdvice(currentDays, longestDays, hasStudiedToday)}
      </p>
    </section>
  )
}

/**
 * Draws an SVG circle, because forced colors and printing remove the background colors of elements.
 */
function StreakDot({ hasStudied }: { hasStudied: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="mx-auto size-6 forced-color-adjust-auto">
      <circle
        cx="12"
        cy="12"
        r="12"
        className={
          hasStudied
            ? 'fill-accent forced-colors:fill-[CanvasText]'
            : 'fill-line forced-colors:fill-[Canvas]'
        }
      />
      {/* In forced colors, only this outline shows an empty dot. */}
      <circle
        cx="12"
        cy="12"
        r="11"
        fill="none"
        strokeWidth="2"
        className="stroke-transparent forced-colors:stroke-[CanvasText]"
      />
    </svg>
  )
}

function getStreakAdvice(
  currentDays: number,
  longestDays: number,
  hasStudiedToday: boolean,
): string {
  if (longestDays === 0) {
    return profileMessages.streakAdvice.startFirst
  }

  if (currentDays === 0) {
    return profileMessages.streakAdvice.startAgain(longestDays)
  }

  const isLongest = currentDays >= longestDays
  const comparison = isLongest
    ? profileMessages.streakAdvice.atRecord
    : profileMessages.streakAdvice.belowRecord(longestDays)
  return hasStudiedToday
    ? comparison
    : `${comparison} ${profileMessages.streakAdvice.continueToday}`
}
