import { useEffect } from 'react'
import { enrollmentChoices, visitorWishes } from '~/features/enrollment/course-choices'
import { examAnswers } from '~/features/exams/attempt/exam-answer-outbox'
import { waitingNotes } from '~/features/learning/notes/waiting-notes'
import { practiceAnswers } from '~/features/learning/practice/postponed-answers'
import { progressReports } from '~/features/learning/report/progress-reports'
import type { SessionUser } from './features/accounts/account-queries.server'
import { outbox } from './outbox/outbox'
import { PhoneBar } from './ui/phone-bar'
import { useViewer } from './viewer'

/** Everything that waits in this browser to be sent; any page sends it. */
const kinds = [
  enrollmentChoices,
  visitorWishes,
  progressReports,
  examAnswers,
  practiceAnswers,
  waitingNotes,
]

/** @property bar whether this page has the phone's bar. */
type LearnerPartsProps = { user: SessionUser; bar: boolean }

/** Parts of every page that only learners load. */
export function LearnerParts({ user, bar }: LearnerPartsProps) {
  const { practice } = useViewer()
  useEffect(() => outbox.watch(kinds, user.uid), [user.uid])
  useTimeZoneReport(user)

  return bar && <PhoneBar practice={practice} />
}

/**
 * Tells the account the time zone of this browser: days of learning count by the latest until the
 * learner chooses one.
 */
function useTimeZoneReport({ uid, timezone: chosen, displayTimezone }: SessionUser) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another learner of this browser is another account.
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    if (!timeZone || chosen || timeZone === displayTimezone) {
      return
    }

    // Without a connection, the next page reports it.
    fetch('/TimeZone', { method: 'POST', body: new URLSearchParams({ timezone: timeZone }) }).catch(
      () => {},
    )
  }, [uid, chosen, displayTimezone])
}
