import { useEffect } from 'react'
import { enrollmentChoices, visitorsWishes } from '~/features/enrollment/course-choices'
import { examAnswers } from '~/features/exams/attempt/exam-answer-outbox'
import { progressReports } from '~/features/lessons/report/progress-reports'
import { practiceAnswers } from '~/features/practice/practice-answers'
import type { SessionUser } from './features/accounts/session/session-user'
import { TimeZoneSync } from './features/accounts/time-zone/time-zone-sync'
import { outbox } from './outbox/outbox'
import { PhoneBar } from './ui/phone-bar'
import { useViewer } from './viewer'

/** Everything that waits in this browser to be sent; any page sends it. */
const kinds = [enrollmentChoices, visitorsWishes, progressReports, examAnswers, practiceAnswers]

/** @property bar whether this page has the phone's bar. */
type LearnerPartsProps = { user: SessionUser; bar: boolean }

/** Parts of every page that only learners load. */
export function LearnerParts({ user, bar }: LearnerPartsProps) {
  const { practice } = useViewer()
  useEffect(() => outbox.watch(kinds, user.uid), [user.uid])
  return (
    <>
      <TimeZoneSync user={user} />
      {bar && <PhoneBar practice={practice} />}
    </>
  )
}
