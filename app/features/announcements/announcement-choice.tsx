import { useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import type { ActionResult } from '~/ui/action-result'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { choiceTexts } from './announcement-messages'

type Props = {
  wanted: boolean
  /** The learner's address. */
  isConfirmed: boolean
  /** The action's result for a form without scripts. */
  first: ActionResult | undefined
  /** Whether there are unsaved changes. */
  onChange(changed: boolean): void
}

/** Whether the learner gets announcements. */
export function AnnouncementChoice({ wanted, isConfirmed, first, onChange }: Props) {
  const fetcher = useFetcher<ActionResult>()
  const [edited, setEdited] = useState(false)
  const busy = fetcher.state !== 'idle'
  const shown = busy || edited ? undefined : (fetcher.data ?? first)
  const saved = fetcher.data?.done === true && !busy && !edited
  useEffect(() => {
    if (saved) onChange(false)
  }, [saved, onChange])
  return (
    <fetcher.Form
      method="post"
      action="/Profile/settings?form=announcements#email"
      onSubmit={() => setEdited(false)}
      onChange={() => {
        setEdited(true)
        onChange(true)
      }}
      className="grid gap-4"
    >
      <label className="flex min-h-11 items-center gap-3">
        <input
          key={String(wanted)}
          type="checkbox"
          name="announcements"
          defaultChecked={wanted}
          aria-describedby="announcements-hint"
          className="size-5 shrink-0 accent-accent"
        />
        {choiceTexts.label}
      </label>
      <p id="announcements-hint" className="text-muted text-sm">
        {isConfirmed ? choiceTexts.hint : choiceTexts.needsAddress}
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" look="secondary" disabled={busy} className="min-w-40">
          {busy ? 'Saving...' : 'Save announcements'}
        </Button>
        {shown?.done === true && <Notice look="good">{wanted ? choiceTexts.on : choiceTexts.off}</Notice>}
        {shown?.done === false && <Notice look="bad">{shown.errors.form}</Notice>}
      </div>
    </fetcher.Form>
  )
}
