import { Menu, Search } from 'lucide-react'
import { type ReactNode, type ToggleEvent, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { useBrand } from './brand'
import { IconButton } from './button'
import { isSamePage } from './compare-paths'
import { Logo } from './logo'
import { ThemeSwitch } from './theme-switch'

type SiteHeaderProps = {
  /** Links to sign in and sign up, or the learner's menu. */
  account: ReactNode
  /** The search field. It is null on pages with a search of their own. */
  search: ReactNode | null
}

/**
 * Shows the bar at the top of every page. On narrow screens, the links and the search are popovers,
 * which work without a script.
 */
export function SiteHeader({ account, search }: SiteHeaderProps) {
  const menuPopover = usePopoverClosedByNavigation<HTMLElement>()
  const searchPopover = usePopoverClosedByNavigation<HTMLElement>()

  return (
    <header className="print:hidden sticky top-0 z-30 border-b border-line bg-canvas">
      <div className="column flex h-16 items-center gap-2">
        <Link
          to="/"
          aria-label={`${useBrand().name}, home`}
          className="mr-auto min-w-0 rounded-control md:mr-4 md:max-w-48 lg:max-w-72"
        >
          <Logo />
        </Link>
        {search && (
          <search
            ref={searchPopover}
            id="site-search"
            popover="auto"
            onToggle={focusInputOnOpen}
            className="inset-x-0 top-16 bottom-auto m-0 w-full max-w-full overflow-visible border-line border-b bg-canvas p-4 text-ink shadow-raised lg:static lg:mr-2 lg:block lg:w-auto lg:max-w-sm lg:flex-1 lg:border-0 lg:p-0 lg:shadow-none"
          >
            {search}
          </search>
        )}
        <nav
          ref={menuPopover}
          id="site-menu"
          popover="auto"
          aria-label="Main"
          className="inset-x-0 top-16 bottom-auto m-0 w-full max-w-full flex-col gap-1 border-line border-b bg-canvas p-4 text-ink shadow-raised open:flex md:static md:flex md:h-auto md:w-auto md:flex-1 md:flex-row md:items-center md:border-0 md:p-0 md:shadow-none"
        >
          <HeaderLink to="/">Home</HeaderLink>
          <HeaderLink to="/AllCourses">Courses</HeaderLink>
          <span className="hidden flex-1 md:block" />
          {account}
        </nav>
        {/* The width is that of all buttons, so that nothing moves if the first is painted before the last. */}
        <div className={`flex shrink-0 lg:w-11 ${search ? 'w-33 md:w-22' : 'w-22 md:w-11'}`}>
          {search && (
            <IconButton label="Open search" popoverTarget="site-search" className="lg:hidden">
              <Search aria-hidden="true" size={20} />
            </IconButton>
          )}
          <ThemeSwitch />
          <IconButton label="Menu" popoverTarget="site-menu" className="md:hidden">
            <Menu aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </header>
  )
}

/** Shows a link of the bar. On its own page, the link is marked as current. */
export function HeaderLink({ to, children }: { to: string; children: ReactNode }) {
  const { pathname } = useLocation()
  const isCurrent = isSamePage(pathname, to)

  return (
    <Link
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      className="inline-flex min-h-11 items-center rounded-control px-3.5 font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:text-ink"
    >
      {children}
    </Link>
  )
}

/**
 * Returns the ref of a popover that every navigation closes. A popover that was opened before
 * hydration stays open.
 */
export function usePopoverClosedByNavigation<Popover extends HTMLElement>() {
  const popover = useRef<Popover>(null)
  const { key: locationKey } = useLocation()
  const previousLocationKey = useRef(locationKey)

  useEffect(() => {
    if (locationKey === previousLocationKey.current) {
      return
    }

    previousLocationKey.current = locationKey
    if (popover.current?.matches(':popover-open')) {
      popover.current.hidePopover()
    }
  }, [locationKey])

  return popover
}

/** Moves the focus into the search field when the search is opened. */
function focusInputOnOpen(event: ToggleEvent<HTMLElement>) {
  if (event.newState === 'open') {
    event.currentTarget.querySelector('input')?.focus()
  }
}
