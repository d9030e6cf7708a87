import { formatDateTime } from '~/ui/format-date'
import { eventTexts, formatSignInMethod } from './security-messages'

/** An event in the security log. `at` is an ISO date-time. */
export type SecurityEvent = {
  id: string
  kind: keyof typeof eventTexts
  at: string
  /** The method that was used to sign in, added or removed. */
  signInMethod: string | null
  device: string | null
}

/** Earlier events are collapsed. */
const expandedEvents = 5

type SecurityEventsProps = { events: SecurityEvent[]; timeZone: string }

/** The security log, newest event first. */
export function SecurityEvents({ events, timeZone }: SecurityEventsProps) {
  const earlierEvents = events.slice(expandedEvents)

  return (
    <>
      <h3 className="font-bold tracking-normal">What happened in your account</h3>
      <p className="mt-2 text-muted">{events.length > 0 ? eventsHint : noEventsHint}</p>
      <EventList events={events.slice(0, expandedEvents)} timeZone={timeZone} />
      {earlierEvents.length > 0 && (
        <details>
          <summary className="link min-h-11 cursor-pointer py-2.5">Show earlier events</summary>
          <EventList events={earlierEvents} timeZone={timeZone} />
        </details>
      )}
    </>
  )
}

function EventList({ events, timeZone }: SecurityEventsProps) {
  return (
    <ul className="divide-y divide-line">
      {events.map(({ id, kind, at, signInMethod, device }) => (
        <li key={id} className="py-3">
          <p className="font-medium">{eventTexts[kind](formatSignInMethod(signInMethod))}</p>
          <p className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">
            {[formatDateTime(at, timeZone), device].filter(Boolean).join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  )
}

const eventsHint =
  'The last 90 days, the newest first. If something wasn’t you, change your password.'
const noEventsHint = 'Nothing in the last 90 days.'
