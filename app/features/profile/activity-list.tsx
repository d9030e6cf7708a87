import {
  Award,
  BookOpenCheck,
  CircleHelp,
  Flag,
  GraduationCap,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import { milestoneText } from '~/features/achievements/achievements'
import type { Activity, ActivityType } from '~/features/learning/progress/activity-queries.server'
import { Button } from '~/ui/button'
import { formatDate, formatRelativeTime } from '~/ui/format-date'

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
            {!last && (
              <span
                aria-hidden="true"
                className="absolute top-9 bottom-0 left-[1.0625rem] w-px bg-line"
              />
            )}
            <span
              aria-hidden="true"
              className={`grid size-9 shrink-0 place-items-center rounded-full ${tint(type)}`}
            >
              <Icon size={18} />
            </span>
            <div className="min-w-0 pt-1">
              <p className="leading-snug">{milestoneText(id) ?? text}</p>
              <time
                dateTime={time}
                title={formatDate(time, timezone)}
                className="text-muted text-sm"
              >
                {formatRelativeTime(time, now, timezone)}
              </time>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** Highlights: certificates and milestones. */
function tint(type: ActivityType): string {
  if (type === 'certificate') {
    return 'bg-good-soft text-good'
  }

  return type === 'milestone' ? 'bg-warn-soft text-warn' : 'bg-accent-soft text-accent-strong'
}

/** The response of the route `/Activities`. */
export type OlderAnswer = { activities: Activity[]; more: boolean }

type OlderActivitiesProps = {
  /** The record's activities after the first few, newest first. */
  known: readonly Activity[]
  /** Whether there may be more than the record holds. */
  more: boolean
  timezone: string
  now: Date
}

/** Collapsed: the record's remaining activities, and on demand all earlier ones, page by page. */
export function OlderActivities({ known, more, timezone, now }: OlderActivitiesProps) {
  const fetcher = useFetcher<OlderAnswer>()
  const [loaded, setLoaded] = useState<readonly Activity[]>([])
  const { data } = fetcher
  useEffect(() => {
    if (data) {
      setLoaded((before) => [
        ...before,
        ...data.activities.filter(({ id }) => !before.some((one) => one.id === id)),
      ])
    }
  }, [data])
  const all = [...known, ...loaded]
  const last = all.at(-1)
  if (!last) {
    return null
  }

  return (
    <details className="mt-5">
      <summary className="inline-flex min-h-8 items-center rounded font-medium text-muted hover:text-ink">
        Show {known.length} more
      </summary>
      <div className="mt-4">
        <ActivityList activities={all} timezone={timezone} now={now} />
      </div>
      {(data?.more ?? more) && (
        <Button
          variant="secondary"
          className="mt-4"
          disabled={fetcher.state !== 'idle'}
          onClick={() =>
            void fetcher.load(`/Activities?${new URLSearchParams({ before: last.id })}`)
          }
        >
          {fetcher.state === 'idle' ? 'Show older activity' : 'Loading...'}
        </Button>
      )}
    </details>
  )
}
