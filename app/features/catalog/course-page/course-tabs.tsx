import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link, useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { useHydrated } from '~/ui/use-hydrated'

export const courseTabs = ['overview', 'curriculum', 'instructor', 'reviews'] as const
type CourseTab = (typeof courseTabs)[number]

const tabNames: Record<CourseTab, string> = {
  overview: 'Overview',
  curriculum: 'Curriculum',
  instructor: 'Instructor',
  reviews: 'Reviews',
}

/** The tab of `?tab=`; overview when there is none of that name. */
export function parseCourseTab(parameters: URLSearchParams): CourseTab {
  const wanted = parameters.get('tab')
  return courseTabs.find((tab) => tab === wanted) ?? 'overview'
}

const tabId = (tab: CourseTab) => `tab-${tab}`
/** A link with it as its hash leads to the panel itself, not just to its tab. */
export const panelId = (tab: CourseTab) => `panel-${tab}`

/** Relative to the course's page. */
export function addressOfTab(tab: CourseTab): string {
  return tab === 'overview' ? '.' : `?tab=${tab}`
}

/** The tab that a key moves to, by the ARIA tab pattern; null for other keys. */
export function tabForKey(tab: CourseTab, key: string): CourseTab | null {
  const index = courseTabs.indexOf(tab)
  const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1, ' ': index }[key]
  return target === undefined ? null : (courseTabs.at(target % courseTabs.length) ?? null)
}

/** Four tabs with an address each; only the chosen panel is in the page. */
export function CourseTabs({ panels }: { panels: Record<CourseTab, ReactNode> }) {
  const { tab, chosen, list, onKeyDown, onClick } = useCourseTab()
  const hydrated = useHydrated()
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label="About this course"
        className="print:hidden sticky top-16 z-10 -mx-2 flex overflow-x-auto border-line border-b bg-canvas px-1 sm:gap-2"
      >
        {courseTabs.map((name) => (
          <Link
            key={name}
            id={tabId(name)}
            role="tab"
            to={addressOfTab(name)}
            preventScrollReset
            aria-selected={name === chosen}
            aria-controls={name === tab ? panelId(name) : undefined}
            tabIndex={hydrated && name !== chosen ? -1 : 0}
            onClick={(event) => onClick(event, name)}
            onKeyDown={onKeyDown}
            className="-mb-px inline-flex min-h-12 shrink-0 items-center border-transparent border-b-2 px-[clamp(0.25rem,1.6vw,1rem)] font-semibold text-muted whitespace-nowrap max-sm:grow max-sm:justify-center max-[22rem]:text-sm -outline-offset-3 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {tabNames[name]}
          </Link>
        ))}
      </div>
      <section
        id={panelId(tab)}
        role="tabpanel"
        tabIndex={-1}
        aria-labelledby={tabId(tab)}
        className="scroll-mt-32 pt-8 outline-none"
      >
        {panels[tab]}
      </section>
    </>
  )
}

/**
 * Which tab the address asks for, which one is chosen, and the keys that the ARIA tab pattern gives to a list of tabs. The
 * address and the panel follow once the choice is painted, so that a slow phone shows a press at once.
 */
function useCourseTab() {
  const [parameters] = useSearchParams()
  const tab = parseCourseTab(parameters)
  const [chosen, choose] = useChosenTab(tab)
  const list = useRef<HTMLDivElement>(null)
  useKeepInView(tab, list)
  useFocusOnPanel(tab)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = tabForKey(chosen, event.key)
    if (!next || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus({ preventScroll: true })
    choose(next)
  }
  const onClick = (event: MouseEvent<HTMLElement>, pressed: CourseTab) => {
    if (pressed === chosen || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    choose(pressed)
  }
  return { tab, chosen, list, onKeyDown, onClick }
}

/** In the history, of a tab that was pressed. */
const pressed = { tabWasPressed: true }

/**
 * The tab that was pressed last, until the address is led elsewhere. That the address passes a tab that was pressed before
 * changes nothing: a slow phone may show it only after the next press.
 */
function useChosenTab(tab: CourseTab) {
  const [lastPressed, setLastPressed] = useState<CourseTab | null>(null)
  const chosen = lastPressed ?? tab
  const { key, state } = useLocation()
  const wasPressed = useNavigationType() !== 'POP' && state?.tabWasPressed === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the address counts once.
  useLayoutEffect(() => {
    if (!wasPressed) setLastPressed(null)
  }, [key])
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router's function changes with every address.
  useEffect(() => {
    if (chosen === tab) return
    let timer: ReturnType<typeof setTimeout>
    const frame = requestAnimationFrame(() => {
      const way = { preventScrollReset: true, flushSync: true, state: pressed }
      timer = setTimeout(() => navigate(addressOfTab(chosen), way))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [chosen, tab])
  return [chosen, setLastPressed] as const
}

/** A page scrolled past the start of the old panel scrolls to the start of the new one. */
function useKeepInView(tab: CourseTab, list: React.RefObject<HTMLElement | null>) {
  const shown = useRef(tab)
  useEffect(() => {
    if (shown.current === tab) return
    shown.current = tab
    const panel = document.getElementById(panelId(tab))
    const stuckBelow = list.current?.getBoundingClientRect().bottom ?? 0
    if (panel && panel.getBoundingClientRect().top < stuckBelow) panel.scrollIntoView({ block: 'start' })
  }, [tab, list])
}

/** The router scrolls to a hash; the keyboard goes on there, too. */
function useFocusOnPanel(tab: CourseTab) {
  const { key, hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again.
  useEffect(() => {
    if (hash === `#${panelId(tab)}`) document.getElementById(panelId(tab))?.focus({ preventScroll: true })
  }, [key, hash, tab])
}
