import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { SessionUser } from './features/accounts/session/session-user'
import { TimeZoneSync } from './features/accounts/time-zone/time-zone-sync'
import { EnrollmentSync } from './features/learning/enrollment/enrollment-sync'
// Here, so that it is loaded before it is needed, possibly offline.
import './features/learning/enrollment/waiting-choices'
import { examAnswers } from './features/learning/exam/exam-answers'
import { progressReports } from './features/learning/lesson/report/progress-reports'
import { practiceAnswers } from './features/learning/practice/practice-answers'
import { outbox } from './outbox/outbox'
import { PhoneBar } from './ui/phone-bar'
import { storeWaiting, useViewer } from './viewer'

/** Everything that is sent from any page; drafts are not. */
const kinds = [progressReports, examAnswers, practiceAnswers]

/** @property bar whether this page has the phone's bar. */
type LearnerPartsProps = { user: SessionUser; bar: boolean }

/**
 * What every page has for learners, and visitors never load: the phone's bar, and what moves to the account that only
 * this browser knows, as courses, offline progress and the time zone.
 */
export function LearnerParts({ user, bar }: LearnerPartsProps) {
  const { enrollments } = useViewer()
  const { revalidate } = useRevalidator()
  useEffect(() => outbox.watch(kinds, user.uid), [user.uid])
  return (
    <>
      <EnrollmentSync uid={user.uid} waiting={enrollments?.waiting} store={storeWaiting} onStored={revalidate} />
      <TimeZoneSync user={user} />
      {bar && <PhoneBar />}
    </>
  )
}
