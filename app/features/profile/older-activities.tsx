import { useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import type { Activity } from '~/features/progress/activity'
import { Button } from '~/ui/button'
import { ActivityList } from './activity-list'

/** What the route `/Activities` answers. */
export type OlderAnswer = { activities: Activity[]; more: boolean }

type OlderActivitiesProps = {
  /** What the record holds beyond the first few, newest first. */
  known: readonly Activity[]
  /** Whether there may be more than the record holds. */
  more: boolean
  timezone: string
  now: Date
}

/** Folded away: the rest of what the record holds, and on demand everything before it, page by page. */
export function OlderActivities({ known, more, timezone, now }: OlderActivitiesProps) {
  const fetcher = useFetcher<OlderAnswer>()
  const [loaded, setLoaded] = useState<readonly Activity[]>([])
  const { data } = fetcher
  useEffect(() => {
    if (data)
      setLoaded((before) => [...before, ...data.activities.filter(({ id }) => !before.some((one) => one.id === id))])
  }, [data])
  const all = [...known, ...loaded]
  const last = all.at(-1)
  if (!last) return null
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
          look="secondary"
          className="mt-4"
          disabled={fetcher.state !== 'idle'}
          onClick={() => void fetcher.load(`/Activities?${new URLSearchParams({ before: last.id })}`)}
        >
          {fetcher.state === 'idle' ? 'Show older activity' : 'Loading...'}
        </Button>
      )}
    </details>
  )
}
