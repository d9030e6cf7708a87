import { Award, BookOpenCheck, CircleHelp, Flag, GraduationCap, type LucideIcon } from 'lucide-react'
import { milestoneText } from '~/features/achievements/celebration'
import type { Activity, ActivityType } from '~/features/progress/activity'
import { dateText, relativeText } from '~/ui/format-date'

const icons: Record<ActivityType, LucideIcon> = {
  lesson: BookOpenCheck,
  quiz: CircleHelp,
  certificate: Award,
  course: GraduationCap,
  milestone: Flag,
}

/** Newest first. */
export function ActivityList({
  activities,
  timezone,
  now,
}: {
  activities: readonly Activity[]
  timezone: string
  now: Date
}) {
  return (
    <ol className="grid">
      {activities.map(({ id, type, text, time }, index) => {
        const Icon = icons[type]
        const last = index === activities.length - 1
        return (
          <li key={id} className="relative flex gap-4 pb-5 last:pb-0">
            {!last && <span aria-hidden="true" className="absolute top-9 bottom-0 left-[1.0625rem] w-px bg-line" />}
            <span aria-hidden="true" className={`grid size-9 shrink-0 place-items-center rounded-full ${tint(type)}`}>
              <Icon size={18} />
            </span>
            <div className="min-w-0 pt-1">
              <p className="leading-snug">{milestoneText(id) ?? text}</p>
              <time dateTime={time} title={dateText(time, timezone)} className="text-muted text-sm">
                {relativeText(time, now, timezone)}
              </time>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** What stands out: certificates and milestones. */
function tint(type: ActivityType): string {
  if (type === 'certificate') return 'bg-good-soft text-good'
  return type === 'milestone' ? 'bg-warn-soft text-warn' : 'bg-accent-soft text-accent-strong'
}
