import { formatDateTime } from '~/ui/format-date'
import { eventTexts, securityTexts, wayText } from './security-messages'

/** `at` is an ISO date-time. */
export type SecurityEvent = {
  id: string
  kind: keyof typeof eventTexts
  at: string
  way: string | null
  device: string | null
}

/** The others are folded away. */
const shownAtOnce = 5

type SecurityEventsProps = { events: SecurityEvent[]; timeZone: string }

/** What happened in the account, the newest first. */
export function SecurityEvents({ events, timeZone }: SecurityEventsProps) {
  const earlier = events.slice(shownAtOnce)
  return (
    <>
      <h3 className="font-bold tracking-normal">What happened in your account</h3>
      <p className="mt-2 text-muted">
        {events.length > 0 ? securityTexts.events : securityTexts.noEvents}
      </p>
      <EventList events={events.slice(0, shownAtOnce)} timeZone={timeZone} />
      {earlier.length > 0 && (
        <details>
          <summary className="link min-h-11 cursor-pointer py-2.5">Show earlier events</summary>
          <EventList events={earlier} timeZone={timeZone} />
        </details>
      )}
    </>
  )
}

function EventList({ events, timeZone }: SecurityEventsProps) {
  return (
    <ul className="divide-y divide-line">
      {events.map(({ id, kind, at, way, device }) => (
        <li key={id} className="py-3">
          <p className="font-medium">{eventTexts[kind](wayText(way))}</p>
          <p className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">
            {[formatDateTime(at, timeZone), device].filter(Boolean).join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  )
}
