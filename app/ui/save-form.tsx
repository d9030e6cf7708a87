import { type ReactNode, useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import { Button } from './button'
import type { FormResult } from './form/form-result'
import { Notice } from './notice'

export type SaveFormState = {
  /** The action's result for a form without scripts. */
  first: FormResult | undefined
  /** Whether there are unsaved changes. */
  onChange(changed: boolean): void
}

type SaveFormProps = SaveFormState & {
  id?: string
  action: string
  button: string
  savedText: string
  className: string
  children: ReactNode
}

/**
 * One of several forms on a page. It saves on its own, and says how that went beside its button.
 */
export function SaveForm({ button, savedText, first, onChange, children, ...form }: SaveFormProps) {
  const fetcher = useFetcher<FormResult>()
  const [edited, setEdited] = useState(false)
  const busy = fetcher.state !== 'idle'
  const shown = busy || edited ? undefined : (fetcher.data ?? first)
  const saved = fetcher.data?.done === true && !busy && !edited
  useEffect(() => {
    if (saved) {
      onChange(false)
    }
  }, [saved, onChange])

  return (
    <fetcher.Form
      {...form}
      method="post"
      onSubmit={() => setEdited(false)}
      onChange={() => {
        setEdited(true)
        onChange(true)
      }}
    >
      {children}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" look="secondary" disabled={busy} className="min-w-40">
          {busy ? 'Saving...' : button}
        </Button>
        {shown?.done === true && <Notice look="good">{savedText}</Notice>}
        {shown?.done === false && <Notice look="bad">{shown.errors.form}</Notice>}
      </div>
    </fetcher.Form>
  )
}
