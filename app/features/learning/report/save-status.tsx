import { Check, CloudOff, LoaderCircle, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { saveStatusTexts } from '../lessons/lesson-messages'
import type { SaveStatus } from './save-state'

type Told = Exclude<SaveStatus, 'collected'>

const icons: Record<Told, LucideIcon> = {
  saved: Check,
  saving: LoaderCircle,
  offline: CloudOff,
  unkept: CloudOff,
  'signed-out': CloudOff,
  'not-enrolled': CloudOff,
  refused: TriangleAlert,
}

/** A report that takes less time needs no message. */
const calmMs = 500
/** How long 'Saved' stays after 'Saving'. */
const savedMs = 3_000

/** Whether the learner's work is saved. Nothing shows while all is well. */
export function SaveStatusText({ status }: { status: SaveStatus }) {
  const shown = useShownStatus(status)
  const Icon = shown && icons[shown]
  const colorClasses = shown === 'saved' || shown === 'saving' ? 'text-muted' : 'text-warn'

  return (
    <p
      role="status"
      data-status={status}
      className={`flex items-center gap-1.5 text-sm font-medium ${colorClasses}`}
    >
      {Icon && <Icon aria-hidden="true" size={16} />}
      {shown && saveStatusTexts[shown]}
    </p>
  )
}

/** @returns null while there is nothing to say. */
function useShownStatus(status: SaveStatus): Told | null {
  const [shown, setShown] = useState<Told | null>(null)
  const settled = status === 'saved' || status === 'collected'
  useEffect(() => {
    if (!settled) {
      const timer = setTimeout(() => setShown(status), status === 'saving' ? calmMs : 0)
      return () => clearTimeout(timer)
    }

    setShown((before) => (before && status === 'saved' ? 'saved' : null))
    const timer = setTimeout(() => setShown(null), savedMs)

    return () => clearTimeout(timer)
  }, [status, settled])

  return shown
}
