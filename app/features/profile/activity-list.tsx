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
import { getMilestoneText } from '~/features/achievements/achievements'
import type { Activity, ActivityType } from '~/features/learning/progress/activity-queries.server'
import { Button } from '~/ui/button'
import { formatDate, formatRelativeTime } from '~/ui/format-date'

const iconsByType: Record<ActivityType, LucideIcon> = {
  lesson: BookOpenCheck,
  quiz: CircleHelp,
  certificate: Award,
  course: GraduationCap,
  milestone: Flag,
}

type ActivityListProps = {
  /** Newest first. */
  activities: readonly Activity[]
  timezone: string
  now: Date
}

export function ActivityList({ activities, timezone, now }: ActivityListProps) {
  return (
    <ol className="grid">
      {activities.map(({ id, type, text, time }, index) => {
        const Icon = iconsByType[type]
        const isLast = index === activities.length - 1

        return (
          <li key={id} className="relative flex gap-4 pb-5 last:pb-0">
            {!isLast && (
              <span
                aria-hidden="true"
                className="absolute top-9 bottom-0 left-[1.0625rem] w-px bg-line"
              />
            )}
            <span
              aria-hidden="true"
              className={`grid size-9 shrink-0 place-items-center rounded-full ${getIconColors(type)}`}
            >
              <Icon size={18} />
            </span>
            <div className="min-w-0 pt-1">
              <p className="leading-snug">{getMilestoneText(id) ?? text}</p>
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

/** Certificates and milestones stand out. */
function getIconColors(type: ActivityType): string {
  if (type === 'certificate') {
    return 'bg-good-soft text-good'
  }

  return type === 'milestone' ? 'bg-warn-soft text-warn' : 'bg-accent-soft text-accent-strong'
}

/** The response of the route `/Activities`. */
export type OlderActivitiesResponse = { activities: Activity[]; hasMore: boolean }

type OlderActivitiesProps = {
  /** The activities of the learner's record that the page does not show at first, newest first. */
  hiddenActivities: readonly Activity[]
  /** Whether the server may have activities that are older than those of the record. */
  hasOlder: boolean
  timezone: string
  now: Date
}

/**
 * Shows hidden activities in a list that can be expanded. A button loads older activities page by
 * page.
 */
export function OlderActivities({
  hiddenActivities,
  hasOlder,
  timezone,
  now,
}: OlderActivitiesProps) {
  const fetcher = useFetcher<OlderActivitiesResponse>()
  const [loadedActivities, setLoadedActivities] = useState<readonly Activity[]>([])
  const { data } = fetcher

  useEffect(() => {
    if (data) {
      setLoadedActivities((previous) => addActivities(previous, data.activities))
    }
  }, [data])

  const activities = [...hiddenActivities, ...loadedActivities]
  const oldestActivity = activities.at(-1)
  if (!oldestActivity) {
    return null
  }

  return (
    <details className="mt-5">
      <summary className="inline-flex min-h-8 items-center rounded font-medium text-muted hover:text-ink">
        Show {hiddenActivities.length} more
      </summary>
      <div className="mt-4">
        <ActivityList activities={activities} timezone={timezone} now={now} />
      </div>
      {(data?.hasMore ?? hasOlder) && (
        <Button
          variant="secondary"
          className="mt-4"
          disabled={fetcher.state !== 'idle'}
          onClick={() =>
            void fetcher.load(`/Activities?${new URLSearchParams({ before: oldestActivity.id })}`)
          }
        >
          {fetcher.state === 'idle' ? 'Show older activity' : 'Loading...'}
        </Button>
      )}
    </details>
  )
}

/** Appends older activities to a list. Skips activities of a response that was added already. */
function addActivities(
  activities: readonly Activity[],
  olderActivities: readonly Activity[],
): Activity[] {
  const ids = new Set(activities.map(({ id }) => id))
  return [...activities, ...olderActivities.filter(({ id }) => !ids.has(id))]
}
