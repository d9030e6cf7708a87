import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'
import {
  computeWeekProgress,
  describeWeekProgress,
  type GoalDay,
  type StudyPlan,
} from './weekly-goal'

/** The URL of the form that sets the goal. */
export const goalSettingsUrl = '/Profile/settings#weekly-goal'

type WeeklyGoalCardProps = {
  plan: StudyPlan | null
  /** The days on which the learner studied, at least those of this week. */
  studiedDays: readonly string[]
  /** The current day in the learner's time zone, such as 2026-11-20. */
  today: string
}

/** Shows the progress toward the weekly goal day by day, or a link to set a goal. */
export function WeeklyGoalCard({ plan, studiedDays, today }: WeeklyGoalCardProps) {
  if (!plan) {
    return <NoGoal />
  }

  const week = computeWeekProgress(plan.weekdays, studiedDays, today)

  return (
    <section aria-labelledby="goal" className="card p-5 sm:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="goal" className="font-bold text-lg">
          Weekly goal
        </h2>
        <Link
          to={goalSettingsUrl}
          className="inline-flex min-h-8 items-center font-semibold text-accent hover:underline"
        >
          Change
        </Link>
      </div>
      <p className="mt-1">
        <strong className="font-semibold">{formatStudiedDays(week.studiedCount, week.goal)}</strong>{' '}
        <span className="text-muted">this week</span>
      </p>
      <ol className="mt-4 grid grid-cols-7 gap-1">
        {week.days.map((goalDay) => (
          <GoalDayItem key={goalDay.day} goalDay={goalDay} isToday={goalDay.day === today} />
        ))}
      </ol>
      <p className="mt-4 text-muted text-sm">{describeWeekProgress(week, today)}</p>
    </section>
  )
}

const circleClasses: Record<GoalDay['status'], string> = {
  studied: 'border-accent bg-accent text-on-accent',
  today: 'border-accent border-dashed',
  planned: 'border-edge border-dashed',
  missed: 'border-edge',
  rest: 'border-transparent',
}

function GoalDayItem({ goalDay, isToday }: { goalDay: GoalDay; isToday: boolean }) {
  const { name, status } = goalDay

  return (
    <li aria-current={isToday ? 'date' : undefined} className="grid justify-items-center gap-1.5">
      <span
        aria-hidden="true"
        className={`text-xs ${isToday ? 'font-bold text-ink' : 'text-muted'}`}
      >
        {name.slice(0, 1)}
      </span>
      <span
        aria-hidden="true"
        className={`grid size-7 place-items-center rounded-full border-2 ${circleClasses[status]}`}
      >
        {status === 'studied' && <Check size={16} strokeWidth={3} />}
        {status === 'rest' && <span className="h-0.5 w-2.5 rounded-full border-edge border-t-2" />}
      </span>
      <span className="sr-only">{dayLabels[status](name)}</span>
    </li>
  )
}

function NoGoal() {
  return (
    <section aria-labelledby="goal" className="card p-5 sm:p-6">
      <h2 id="goal" className="font-bold text-lg">
        Weekly goal
      </h2>
      <p className="mt-1 text-muted">{noGoalText}</p>
      <ButtonLink to={goalSettingsUrl} variant="secondary" className="mt-4 w-full">
        Set a weekly goal
      </ButtonLink>
    </section>
  )
}

/** Formats on how many days of the week the learner has studied, such as '2 of 3 days'. */
function formatStudiedDays(studiedCount: number, goal: number): string {
  if (studiedCount > goal) {
    return byCount(studiedCount, '1 day', `${studiedCount} days`)
  }

  return byCount(goal, `${studiedCount} of 1 day`, `${studiedCount} of ${goal} days`)
}

/** The texts that describe a day of the week to screen readers. */
const dayLabels = {
  studied: (day: string) => `${day}: studied`,
  today: (day: string) => `${day}: planned for today`,
  planned: (day: string) => `${day}: planned`,
  missed: (day: string) => `${day}: missed`,
  rest: (day: string) => `${day}: rest day`,
} as const

const noGoalText = 'Pick the days you want to study. The others are rest days.'
