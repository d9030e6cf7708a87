import { Menu } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { IconButton } from './icon-button'
import { Logo } from './logo'
import { ThemeSwitch } from './theme-switch'

/**
 * The bar on top of every page. `account` is what the session decides: Login and Sign Up, or the learner's menu.
 * On a phone the same links are a popover, which opens and closes without a script.
 */
export function SiteHeader({ account }: { account: ReactNode }) {
  const menu = useClosingMenu()
  return (
    <header className="print:hidden sticky top-0 z-30 border-b border-line bg-canvas">
      <div className="column flex h-16 items-center gap-2">
        <Link to="/" aria-label="Learnify, home" className="mr-4 rounded-control">
          <Logo />
        </Link>
        <nav
          ref={menu}
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
        {/* As wide as both of its buttons, so that nothing moves if the first is painted before the second. */}
        <div className="ml-auto flex w-22 shrink-0 md:w-11">
          <ThemeSwitch />
          <IconButton label="Menu" popoverTarget="site-menu" className="md:hidden">
            <Menu aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </header>
  )
}

/** One link of the bar, marked when it is where the visitor is. */
export function HeaderLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <NavLink
      to={to}
      end
      className="inline-flex min-h-11 items-center rounded-control px-3.5 font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:text-ink"
    >
      {children}
    </NavLink>
  )
}

/** A choice in the phone's menu closes it. */
function useClosingMenu() {
  const menu = useRef<HTMLElement>(null)
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu.
  useEffect(() => {
    if (menu.current?.matches(':popover-open')) menu.current.hidePopover()
  }, [key])
  return menu
}
