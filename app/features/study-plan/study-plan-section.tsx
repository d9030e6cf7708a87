import { useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import type { ActionResult } from '~/ui/action-result'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { goalRemoved, goalSaved } from './study-plan-messages'
import { type StudyPlan, weekdayNames } from './weekly-goal'

type StudyPlanSectionProps = {
  plan: StudyPlan | null
  /** The action's result for a form without scripts. */
  first: ActionResult | undefined
  /** Whether there are unsaved changes. */
  onChange(changed: boolean): void
}

/** The weekly goal. */
export function StudyPlanSection({ plan, first, onChange }: StudyPlanSectionProps) {
  const fetcher = useFetcher<ActionResult>()
  const [edited, setEdited] = useState(false)
  const busy = fetcher.state !== 'idle'
  const result = fetcher.data ?? first
  const shown = !busy && !edited ? result : undefined
  const saved = fetcher.data?.done === true && !busy && !edited
  useEffect(() => {
    if (saved) onChange(false)
  }, [saved, onChange])
  return (
    <section id="study" aria-labelledby="study-title" className="card mt-6 p-5 sm:p-6">
      <h2 id="study-title" className="font-bold text-lg">
        Study
      </h2>
      <fetcher.Form
        method="post"
        action="/StudyPlan"
        onSubmit={() => setEdited(false)}
        onChange={() => {
          setEdited(true)
          onChange(true)
        }}
        id="weekly-goal"
        className="mt-3 grid scroll-mt-36 gap-5"
      >
        <input type="hidden" name="part" value="goal" />
        <WeekdayField chosen={plan?.weekdays ?? []} />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" look="secondary" disabled={busy} className="min-w-40">
            {busy ? 'Saving...' : 'Save goal'}
          </Button>
          {shown?.done === true && <Notice look="good">{plan ? goalSaved : goalRemoved}</Notice>}
          {shown?.done === false && <Notice look="bad">{shown.errors.form}</Notice>}
        </div>
      </fetcher.Form>
    </section>
  )
}

function WeekdayField({ chosen }: { chosen: readonly number[] }) {
  return (
    <fieldset aria-describedby="weekly-goal-hint">
      <legend className="font-bold">Weekly goal</legend>
      <p id="weekly-goal-hint" className="mt-1 text-muted">
        Which days do you want to study? The others are rest days. Weeks start on Monday.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {weekdayNames.map((name, index) => (
          <label
            key={name}
            className="flex min-h-11 items-center gap-2.5 whitespace-nowrap rounded-control border border-edge px-3.5 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="checkbox"
              name="weekdays"
              value={index + 1}
              defaultChecked={chosen.includes(index + 1)}
              className="size-5 shrink-0 accent-accent"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
