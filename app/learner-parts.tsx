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

/** The kinds of outbox entries, which any page of the learner sends. */
const outboxKinds = [
  enrollmentChoices,
  visitorWishes,
  progressReports,
  examAnswers,
  practiceAnswers,
  waitingNotes,
]

type LearnerPartsProps = { user: SessionUser; hasPhoneBar: boolean }

/** Sends the learner's outbox and time zone, and shows the phone bar. Only learners load this code. */
export function LearnerParts({ user, hasPhoneBar }: LearnerPartsProps) {
  const { hasPracticeQuestions } = useViewer()
  useEffect(() => outbox.sendAutomatically(outboxKinds, user.uid), [user.uid])
  useTimeZoneReport(user)

  return hasPhoneBar && <PhoneBar hasPracticeQuestions={hasPracticeQuestions} />
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

type PhoneBarLink = {
  to: string
  label: string
  icon: LucideIcon
  /** Returns whether the link leads to the section that a page belongs to. */
  isCurrentSection(path: string): boolean
}

const currentCoursesPath = '/Profile/current-courses'
const practicePath = '/Practice'

/** The links that learners use most. Up to five fit. */
const phoneBarLinks: readonly PhoneBarLink[] = [
  {
    to: '/AllCourses',
    label: 'Courses',
    icon: Compass,
    isCurrentSection: (path) => /^\/(AllCourses|OneCourse)/i.test(path),
  },
  {
    to: currentCoursesPath,
    label: 'My learning',
    icon: BookOpen,
    isCurrentSection: (path) => path.startsWith(currentCoursesPath),
  },
  {
    to: practicePath,
    label: 'Practice',
    icon: BrainCircuit,
    isCurrentSection: (path) => /^\/Practice/i.test(path),
  },
  {
    to: '/Profile',
    label: 'Profile',
    icon: CircleUser,
    isCurrentSection: (path) => /^\/Profile(?!\/current-courses)/i.test(path),
  },
]

/** Shows the most used links at the bottom of a phone's screen, where a thumb reaches them. */
function PhoneBar({ hasPracticeQuestions }: { hasPracticeQuestions: boolean }) {
  const { pathname } = useLocation()
  const links = phoneBarLinks.filter(({ to }) => hasPracticeQuestions || to !== practicePath)

  return (
    <nav
      aria-label="Quick links"
      className="fixed inset-x-0 bottom-0 z-20 border-line border-t bg-canvas pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      <ul className="flex h-14">
        {links.map(({ to, label, icon: Icon, isCurrentSection }) => (
          <li key={to} className="min-w-0 flex-1">
            <Link
              to={to}
              aria-current={getAriaCurrent(to === pathname, isCurrentSection(pathname))}
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

function getAriaCurrent(isPage: boolean, isSection: boolean): 'page' | 'true' | undefined {
  if (isPage) {
    return 'page'
  }

  return isSection ? 'true' : undefined
}
