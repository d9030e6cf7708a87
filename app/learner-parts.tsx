import { BookOpen, BrainCircuit, CircleUser, Compass, type LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { enrollmentChoices, visitorWishes } from '~/features/enrollment/course-choices'
import { examAnswers } from '~/features/exams/attempt/exam-answer-outbox'
import { waitingNotes } from '~/features/learning/notes/waiting-notes'
import { practiceAnswers } from '~/features/learning/practice/postponed-answers'
import { progressReports } from '~/features/learning/report/progress-reports'
import type { SessionUser } from './features/accounts/account-queries.server'
import { outbox } from './outbox/outbox'
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
  useEffect(() => outbox.sendAutomatically(kinds, user.uid), [user.uid])
  useTimeZoneReport(user)

  return bar && <PhoneBar practice={practice} />
}

/**
 * Reports the time zone of this browser to the account. The learner's days of learning follow the
 * latest report until the learner chooses a time zone.
 */
function useTimeZoneReport({ uid, timezone: chosenZone, displayTimezone }: SessionUser) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another learner of this browser is another account.
  useEffect(() => {
    const browserZone = getBrowserName(undefined)
    if (!browserZone || chosenZone || browserZone === getBrowserName(displayTimezone)) {
      return
    }

    const report = new URLSearchParams({
      timezone: browserZone,
      offsetMinutes: String(-new Date().getTimezoneOffset()),
    })
    fetch('/TimeZone', { method: 'POST', body: report }).catch(() => {
      // Without a connection, the next page reports the time zone.
    })
  }, [uid, chosenZone, displayTimezone])
}

/**
 * Returns the browser's own name for a time zone, or for the zone of the browser if none is given.
 * The account may store another name for the same zone.
 */
function getBrowserName(timeZone: string | undefined): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

type Place = { to: string; label: string; icon: LucideIcon; holds(path: string): boolean }

const learning = '/Profile/current-courses'

const practicePlace = '/Practice'

/** The places that a learner goes to most; five fit. */
const places: readonly Place[] = [
  {
    to: '/AllCourses',
    label: 'Courses',
    icon: Compass,
    holds: (path) => /^\/(AllCourses|OneCourse)/i.test(path),
  },
  {
    to: learning,
    label: 'My learning',
    icon: BookOpen,
    holds: (path) => path.startsWith(learning),
  },
  {
    to: practicePlace,
    label: 'Practice',
    icon: BrainCircuit,
    holds: (path) => /^\/Practice/i.test(path),
  },
  {
    to: '/Profile',
    label: 'Profile',
    icon: CircleUser,
    holds: (path) => /^\/Profile(?!\/current-courses)/i.test(path),
  },
]

/**
 * A learner's way around on a phone, within the thumb's reach.
 *
 * @param practice whether there is something to practice.
 */
function PhoneBar({ practice }: { practice: boolean }) {
  const { pathname } = useLocation()
  return (
    <nav
      aria-label="Quick links"
      className="fixed inset-x-0 bottom-0 z-20 border-line border-t bg-canvas pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      <ul className="flex h-14">
        {places
          .filter(({ to }) => practice || to !== practicePlace)
          .map(({ to, label, icon: Icon, holds }) => (
            <li key={to} className="min-w-0 flex-1">
              <Link
                to={to}
                aria-current={getAriaCurrent(to === pathname, holds(pathname))}
                className="group flex h-full flex-col items-center justify-center gap-0.5 text-xs font-semibold text-muted -outline-offset-3 hover:text-ink aria-[current]:text-accent-strong"
              >
                <span className="rounded-full px-4 py-0.5 group-aria-[current]:bg-accent-soft">
                  <Icon aria-hidden="true" size={20} />
                </span>
                <span className="max-w-full truncate px-1">{label}</span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

function getAriaCurrent(isPage: boolean, holdsPage: boolean): 'page' | 'true' | undefined {
  if (isPage) {
    return 'page'
  }

  return holdsPage ? 'true' : undefined
}
