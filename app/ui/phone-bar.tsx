import { BookOpen, BrainCircuit, CircleUser, Compass, type LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { isPageOrBelow, isSamePage } from './compare-paths'

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
    isCurrentSection: (path) =>
      isPageOrBelow(path, '/AllCourses') || isPageOrBelow(path, '/OneCourse'),
  },
  {
    to: currentCoursesPath,
    label: 'My learning',
    icon: BookOpen,
    isCurrentSection: (path) => isPageOrBelow(path, currentCoursesPath),
  },
  {
    to: practicePath,
    label: 'Practice',
    icon: BrainCircuit,
    isCurrentSection: (path) => isPageOrBelow(path, practicePath),
  },
  {
    to: '/Profile',
    label: 'Profile',
    icon: CircleUser,
    // Every section of the profile but "My learning".
    isCurrentSection: (path) =>
      isPageOrBelow(path, '/Profile') && !isPageOrBelow(path, currentCoursesPath),
  },
]

/** Shows the most used links at the bottom of a phone's screen, where a thumb reaches them. */
export function PhoneBar({ hasPracticeQuestions }: { hasPracticeQuestions: boolean }) {
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
              aria-current={getAriaCurrent(isSamePage(pathname, to), isCurrentSection(pathname))}
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
