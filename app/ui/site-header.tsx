import { Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { Logo } from './logo'
import { ThemeSwitch } from './theme-switch'

/** The bar on top of every page. `account` is what the session decides: Login and Sign Up, or the learner's menu. */
export function SiteHeader({ account }: { account: ReactNode }) {
  const menu = useClosingMenu()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas/90 backdrop-blur">
      <div className="column flex h-16 items-center gap-2">
        <Link to="/" aria-label="Learnify, home" className="mr-4 rounded-control">
          <Logo />
        </Link>
        <nav aria-label="Main" className="hidden flex-1 items-center gap-1 md:flex">
          <PageLinks />
          <span className="flex-1" />
          <ThemeSwitch />
          {account}
        </nav>
        <details ref={menu} className="group ml-auto md:hidden">
          <summary
            aria-label="Menu"
            className="grid size-11 list-none place-items-center rounded-control hover:bg-sunken [&::-webkit-details-marker]:hidden"
          >
            <Menu aria-hidden="true" className="group-open:hidden" />
            <X aria-hidden="true" className="hidden group-open:block" />
          </summary>
          <nav
            aria-label="Main"
            className="absolute inset-x-0 top-16 flex flex-col gap-1 border-b border-line bg-canvas p-4 shadow-raised"
          >
            <PageLinks />
            {account}
            <ThemeSwitch />
          </nav>
        </details>
      </div>
    </header>
  )
}

function PageLinks() {
  return (
    <>
      <HeaderLink to="/">Home</HeaderLink>
      <HeaderLink to="/AllCourses">Courses</HeaderLink>
    </>
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

/** The phone's menu works without a script; with one it also closes after a choice and on Escape. */
function useClosingMenu() {
  const menu = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu.
  useEffect(() => {
    menu.current?.removeAttribute('open')
  }, [key])
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [])
  return menu
}
