import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { dayStates, daysOfGoal, noGoal } from './study-plan-messages'
import { type GoalDay, goalSentence, type StudyPlan, weekProgress } from './weekly-goal'

/** Where the goal is set. */
export const goalSettings = '/Profile/settings#weekly-goal'

type WeeklyGoalCardProps = {
  plan: StudyPlan | null
  /** Days of learning, of this week at least. */
  learnedDays: readonly string[]
  /** The learner's, like 2026-11-20. */
  day: string
}

/** How far this week's goal is, day by day; without a goal, the way to one. */
export function WeeklyGoalCard({ plan, learnedDays, day }: WeeklyGoalCardProps) {
  if (!plan) {
    return <NoGoal />
  }

  const week = weekProgress(plan.weekdays, learnedDays, day)

  return (
    <section aria-labelledby="goal" className="card p-5 sm:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="goal" className="font-bold text-lg">
          Weekly goal
        </h2>
        <Link
          to={goalSettings}
          className="inline-flex min-h-8 items-center font-semibold text-accent hover:underline"
        >
          Change
        </Link>
      </div>
      <p className="mt-1">
        <strong className="font-semibold">{daysOfGoal(week.learned, week.goal)}</strong>{' '}
        <span className="text-muted">this week</span>
      </p>
      <ol className="mt-4 grid grid-cols-7 gap-1">
        {week.days.map((one) => (
          <Day key={one.day} day={one} today={one.day === day} />
        ))}
      </ol>
      <p className="mt-4 text-muted text-sm">{goalSentence(week, day)}</p>
    </section>
  )
}

const circles: Record<GoalDay['state'], string> = {
  learned: 'border-accent bg-accent text-on-accent',
  today: 'border-accent border-dashed',
  planned: 'border-edge border-dashed',
  missed: 'border-edge',
  rest: 'border-transparent',
}

function Day({ day: { name, state }, today }: { day: GoalDay; today: boolean }) {
  return (
    <li aria-current={today ? 'date' : undefined} className="grid justify-items-center gap-1.5">
      <span aria-hidden="true" className={`text-xs ${today ? 'font-bold text-ink' : 'text-muted'}`}>
        {name.slice(0, 1)}
      </span>
      <span
        aria-hidden="true"
        className={`grid size-7 place-items-center rounded-full border-2 ${circles[state]}`}
      >
        {state === 'learned' && <Check size={16} strokeWidth={3} />}
        {state === 'rest' && <span className="h-0.5 w-2.5 rounded-full border-edge border-t-2" />}
      </span>
      <span className="sr-only">{dayStates[state](name)}</span>
    </li>
  )
}

function NoGoal() {
  return (
    <section aria-labelledby="goal" className="card p-5 sm:p-6">
      <h2 id="goal" className="font-bold text-lg">
        Weekly goal
      </h2>
      <p className="mt-1 text-muted">{noGoal}</p>
      <ButtonLink to={goalSettings} variant="secondary" className="mt-4 w-full">
        Set a weekly goal
      </ButtonLink>
    </section>
  )
}
