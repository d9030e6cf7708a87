import { useRevalidator } from 'react-router'
import type { SessionUser } from './features/accounts/session/session-user'
import { TimeZoneSync } from './features/accounts/time-zone/time-zone-sync'
import { EnrollmentSync } from './features/learning/enrollment/enrollment-sync'
// Here, so that it is loaded before it is needed, possibly offline.
import './features/learning/enrollment/waiting-choices'
import { KeptReports } from './features/learning/lesson/report/kept-reports'
import { PhoneBar } from './ui/phone-bar'
import { storeWaiting, useViewer } from './viewer'

/** @property bar whether this page has the phone's bar. */
type LearnerPartsProps = { user: SessionUser; bar: boolean }

/**
 * What every page has for learners, and visitors never load: the phone's bar, and what moves to the account that only
 * this browser knows, as courses, offline progress and the time zone.
 */
export function LearnerParts({ user, bar }: LearnerPartsProps) {
  const { enrollments } = useViewer()
  const { revalidate } = useRevalidator()
  return (
    <>
      <EnrollmentSync uid={user.uid} waiting={enrollments?.waiting} store={storeWaiting} onStored={revalidate} />
      <KeptReports uid={user.uid} onTaken={revalidate} />
      <TimeZoneSync user={user} />
      {bar && <PhoneBar />}
    </>
  )
}
