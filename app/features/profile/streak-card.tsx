import { Flame } from 'lucide-react'
import type { StudyDay } from '~/features/learning/progress/study-time'
import { formatCount } from '~/ui/format-count'
import { formatWeekday } from '~/ui/format-date'
import { streakAdvice } from './profile-messages'

type StreakCardProps = {
  currentDays: number
  longestDays: number
  /** Oldest first, up to today. */
  days: readonly StudyDay[]
}

/**
 * How many days in a row; the last two weeks as dots, whose numbers stand in the study chart's
 * table.
 */
export function StreakCard({ currentDays, longestDays, days }: StreakCardProps) {
  const today = days.at(-1)
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
        {days.slice(-7).map(({ day }) => (
          <span key={day} className="text-center text-muted text-xs">
            {formatWeekday(day).slice(0, 1)}
          </span>
        ))}
        {days.slice(-14).map(({ day, learned }) => (
          <StreakDot key={day} learned={learned} />
        ))}
      </div>
      <p className="mt-auto pt-5 text-muted text-sm">
        {advice(currentDays, longestDays, today?.learned ?? false)}
      </p>
    </section>
  )
}

/** Drawn, not a background: forced colors and print leave those out. */
function StreakDot({ learned }: { learned: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="mx-auto size-6 forced-color-adjust-auto">
      <circle
        cx="12"
        cy="12"
        r="12"
        className={
          learned
            ? 'fill-accent forced-colors:fill-[CanvasText]'
            : 'fill-line forced-colors:fill-[Canvas]'
        }
      />
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

function advice(current: number, longest: number, learnedToday: boolean): string {
  if (longest === 0) {
    return streakAdvice.first
  }

  if (current === 0) {
    return streakAdvice.again(longest)
  }

  const record = current >= longest ? streakAdvice.longest : streakAdvice.record(longest)

  return learnedToday ? record : `${record} ${streakAdvice.keepGoing}`
}
