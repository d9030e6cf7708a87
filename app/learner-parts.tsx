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
