import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SaveStatus } from './progress-reporter'

const texts: Record<SaveStatus, string> = {
  saved: 'Saved',
  saving: 'Saving',
  offline: 'Offline: saved on this device',
  unkept: 'Not saved: keep this page open',
  'signed-out': 'Signed out: saved on this device',
  refused: 'Couldn’t be counted',
}

const icons = {
  saved: Check,
  saving: LoaderCircle,
  offline: CloudOff,
  unkept: CloudOff,
  'signed-out': CloudOff,
  refused: TriangleAlert,
}

/** 'Saved' waits a little: while a video plays there is always a second more to save, and nothing should flicker. */
const calmMs = 700

/** How it stands with what the learner did. */
export function SaveStatusText({ status }: { status: SaveStatus }) {
  const [shown, setShown] = useState(status)
  useEffect(() => {
    const timer = setTimeout(() => setShown(status), status === 'saved' ? calmMs : 0)
    return () => clearTimeout(timer)
  }, [status])
  const Icon = icons[shown]
  const look = shown === 'saved' || shown === 'saving' ? 'text-muted' : 'text-warn'
  return (
    <p role="status" data-status={shown} className={`flex items-center gap-1.5 text-sm font-medium ${look}`}>
      <Icon aria-hidden="true" size={16} />
      {texts[shown]}
    </p>
  )
}
