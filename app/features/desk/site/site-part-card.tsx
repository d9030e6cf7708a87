import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSubmittedValues } from '../desk-context'
import { ActionForm } from '../desk-forms'
import { Time } from '../desk-parts'

/** The latest change of a part. */
type LastChange = { version: number; at: string; byName: string | null }

type SitePartCardProps = {
  /** Identifies the part, and is the intent of the form that changes it. */
  part: string
  /** The displayed name of the part. */
  name: string
  /** The current value as one line. */
  valueText: ReactNode
  /** Undefined if the part was never changed. */
  lastChange: LastChange | undefined
  /** The intent of the form that undoes the last change, or null if changes can't be undone. */
  undoIntent: string | null
  /** The operator's settings that override this part. */
  overridingSettings: readonly string[]
  /** Why the part can't be changed any more. Undefined if it can. */
  lockedReason?: string
  children: ReactNode
  encType?: 'multipart/form-data'
}

/**
 * Shows a part of the site with its current value. It opens to show its form, and its last change
 * with a button that undoes it.
 */
export function SitePartCard({
  part,
  name,
  valueText,
  lastChange,
  undoIntent,
  overridingSettings,
  lockedReason,
  children,
  encType,
}: SitePartCardProps) {
  // The server sends the submitted values back only if it refused the form.
  const wasRefused = useSubmittedValues(part) !== null
  const unchangeableReason = describeOverride(overridingSettings) ?? lockedReason

  return (
    // `undefined`, unlike `false`, leaves it to the browser whether the part is open.
    <details open={wasRefused || undefined} className="card group">
      <PartSummary name={name} valueText={valueText} />
      <div className="grid gap-5 border-line border-t p-5">
        {unchangeableReason ? (
          <p className="text-muted">{unchangeableReason}</p>
        ) : (
          <>
            <ActionForm
              intent={part}
              buttonText="Save"
              variant="primary"
              hiddenValues={{ seen: formatSeenVersion(lastChange) }}
              encType={encType}
            >
              {children}
            </ActionForm>
            {lastChange && (
              <UndoForm part={part} name={name} lastChange={lastChange} undoIntent={undoIntent} />
            )}
          </>
        )}
      </div>
    </details>
  )
}

/** Returns the sentence about a part that the operator has set, or undefined for another part. */
function describeOverride(settings: readonly string[]): string | undefined {
  if (settings.length === 0) {
    return undefined
  }

  return `The operator of this site has set ${settings.join(', ')} in its environment, so it can’t be changed here.`
}

/** Returns the version that a form sends along. Version 0 means that there was no change yet. */
export function formatSeenVersion(lastChange: LastChange | undefined): string {
  return String(lastChange?.version ?? 0)
}

function PartSummary({ name, valueText }: { name: string; valueText: ReactNode }) {
  return (
    <summary className="flex min-h-14 items-center justify-between gap-3 rounded-card px-5 py-3 hover:bg-sunken">
      <span className="grid min-w-0 gap-x-6 sm:grid-cols-[10rem_minmax(0,1fr)] sm:items-center">
        <span className="font-medium">{name}</span>
        <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{valueText}</span>
      </span>
      <ChevronDown
        aria-hidden="true"
        size={18}
        className="shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
      />
    </summary>
  )
}

type UndoFormProps = {
  part: string
  name: string
  lastChange: LastChange
  undoIntent?: string | null
}

/** Shows who made the last change and when, with the button that undoes it if that is possible. */
export function UndoForm({ part, name, lastChange, undoIntent = 'restore' }: UndoFormProps) {
  const { version, at, byName } = lastChange
  // The versions of a part are numbered without gaps.
  const previousVersion = version - 1

  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
      <p className="text-muted text-sm">
        Changed <Time at={at} /> by {byName ?? 'a former account'}
      </p>
      {undoIntent !== null && (
        <ActionForm
          intent={undoIntent}
          buttonText="Undo"
          buttonLabel={`Undo the last change: ${name}`}
          hiddenValues={{ part, version: String(previousVersion), seen: String(version) }}
        />
      )}
    </div>
  )
}
