import { BookOpen, BrainCircuit, CircleUser, Compass, type LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'react-router'

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
export function PhoneBar({ practice }: { practice: boolean }) {
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
