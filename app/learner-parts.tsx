import { useEffect } from 'react'
import { enrollmentChoices, visitorWishes } from '~/features/enrollment/course-choices'
import { examAnswers } from '~/features/exams/attempt/exam-answer-outbox'
import { waitingNotes } from '~/features/learning/notes/waiting-notes'
import { practiceAnswers } from '~/features/learning/practice/postponed-answers'
import { progressReports } from '~/features/learning/report/progress-reports'
import type { SessionUser } from './features/accounts/session/session-user.server'
import { outbox } from './outbox/outbox'
import { PhoneBar } from './ui/phone-bar'
import { useViewer } from './viewer'

/** The kinds of entries that the outbox sends from every page of a learner. */
const outboxKinds = [
  enrollmentChoices,
  visitorWishes,
  progressReports,
  examAnswers,
  practiceAnswers,
  waitingNotes,
]

type LearnerPartsProps = { user: SessionUser; hasPhoneBar: boolean }

/**
 * What every page has for a learner who is signed in: it sends the outbox and the time zone of the
 * browser, and shows the phone bar. Visitors do not load this code.
 */
export function LearnerParts({ user, hasPhoneBar }: LearnerPartsProps) {
  const { hasPracticeQuestions } = useViewer()
  useEffect(() => outbox.sendAutomatically(outboxKinds, user.uid), [user.uid])
  useSendTimeZone(user)

  return hasPhoneBar && <PhoneBar hasPracticeQuestions={hasPracticeQuestions} />
}

/**
 * Sends the time zone of this browser to the account. The learner's days of learning follow the
 * zone that was sent last, until the learner chooses one.
 */
function useSendTimeZone({ uid, timezone: chosenZone, displayTimezone }: SessionUser) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another learner in this browser has another account.
  useEffect(() => {
    const browserZone = getBrowserTimeZone()
    if (!browserZone || chosenZone || browserZone === toBrowserName(displayTimezone)) {
      return
    }

    const minutesEastOfUtc = -new Date().getTimezoneOffset()
    const form = new URLSearchParams({
      timezone: browserZone,
      offsetMinutes: String(minutesEastOfUtc),
    })
    fetch('/TimeZone', { method: 'POST', body: form }).catch(() => {
      // Without a connection, the next page that the browser loads sends the time zone.
    })
  }, [uid, chosenZone, displayTimezone])
}

function getBrowserTimeZone(): string | null {
  return toBrowserName(undefined)
}

/**
 * Returns the browser's own name for a time zone, which may have several. Returns null if the
 * browser doesn't know the zone.
 *
 * @param timeZone undefined for the zone of the browser
 */
function toBrowserName(timeZone: string | undefined): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
