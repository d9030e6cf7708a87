import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { ActionForm, Time, useSubmittedValues } from '../desk-parts'

export type LastChange = { version: number; at: string; byName: string | null }

type SitePartProps = {
  /** The name of the part, and of the action that changes it. */
  part: string
  name: string
  /** The current value as one line. */
  text: ReactNode
  change: LastChange | undefined
  /** The name of the action that undoes a change. */
  restore: string
  /** The operator's settings that override this part. */
  settings: readonly string[]
  children: ReactNode
  encType?: 'multipart/form-data'
}

/**
 * Shows a part of the site with its current value. It opens to show its form, and its last change
 * with a button that undoes it.
 */
export function SitePart({
  part,
  name,
  text,
  change,
  restore,
  settings,
  children,
  encType,
}: SitePartProps) {
  const isRefused = useSubmittedValues(part) !== null

  return (
    <details open={isRefused || undefined} className="card group">
      <PartSummary name={name} text={text} />
      <div className="grid gap-5 border-line border-t p-5">
        {settings.length > 0 ? (
          <p className="text-muted">
            The operator of this site has set {settings.join(', ')} in its environment, so it can’t
            be changed here.
          </p>
        ) : (
          <>
            <ActionForm
              intent={part}
              buttonText="Save"
              variant="primary"
              hiddenValues={{ seen: formatSeenVersion(change) }}
              encType={encType}
            >
              {children}
            </ActionForm>
            {change && <Undo part={part} name={name} change={change} restore={restore} />}
          </>
        )}
      </div>
    </details>
  )
}

/** Returns the version that a form sends along. Version 0 means that there was no change yet. */
export function formatSeenVersion(change: LastChange | undefined): string {
  return String(change?.version ?? 0)
}

function PartSummary({ name, text }: { name: string; text: ReactNode }) {
  return (
    <summary className="flex min-h-14 items-center justify-between gap-3 rounded-card px-5 py-3 hover:bg-sunken">
      <span className="grid min-w-0 gap-x-6 sm:grid-cols-[10rem_minmax(0,1fr)] sm:items-center">
        <span className="font-medium">{name}</span>
        <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{text}</span>
      </span>
      <ChevronDown
        aria-hidden="true"
        size={18}
        className="shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
      />
    </summary>
  )
}

type UndoProps = { part: string; name: string; change: LastChange; restore?: string }

/** Shows who made the last change and when, with the button that undoes it. */
export function Undo({ part, name, change, restore = 'restore' }: UndoProps) {
  const { version, at, byName } = change
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
      <p className="text-muted text-sm">
        Changed <Time at={at} /> by {byName ?? 'a former account'}
      </p>
      <ActionForm
        intent={restore}
        buttonText="Undo"
        buttonLabel={`Undo the last change: ${name}`}
        hiddenValues={{ part, version: String(version - 1), seen: String(version) }}
      />
    </div>
  )
}
