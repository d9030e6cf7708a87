import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useHydrated } from '~/ui/use-hydrated'

export const courseTabs = ['overview', 'curriculum', 'instructor', 'reviews'] as const
type CourseTab = (typeof courseTabs)[number]

const tabNames: Record<CourseTab, string> = {
  overview: 'Overview',
  curriculum: 'Curriculum',
  instructor: 'Instructor',
  reviews: 'Reviews',
}

/** The tab of `?tab=`. @param first the one that opens when there is none of that name. */
export function parseCourseTab(parameters: URLSearchParams, first: CourseTab): CourseTab {
  const wanted = parameters.get('tab')
  return courseTabs.find((tab) => tab === wanted) ?? first
}

const tabId = (tab: CourseTab) => `tab-${tab}`
/** A link with it as its hash leads to the panel itself, not just to its tab. */
export const panelId = (tab: CourseTab) => `panel-${tab}`

/** Relative to the course's page. @param first the tab that opens without a choice. */
export function courseTabUrl(tab: CourseTab, first: CourseTab): string {
  return tab === first ? '.' : `?tab=${tab}`
}

/** The tab that a key moves to, by the ARIA tab pattern; null for other keys. */
export function tabForKey(tab: CourseTab, key: string): CourseTab | null {
  const index = courseTabs.indexOf(tab)
  const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1, ' ': index }[key]
  return target === undefined ? null : (courseTabs.at(target % courseTabs.length) ?? null)
}

type CourseTabsProps = {
  /** Opens without a choice. */
  first: CourseTab
  panels: Record<CourseTab, ReactNode>
}

/**
 * Four tabs with an address each, by the ARIA tab pattern; only the chosen panel is in the page.
 */
export function CourseTabs({ first, panels }: CourseTabsProps) {
  const [parameters] = useSearchParams()
  const tab = parseCourseTab(parameters, first)
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const list = useRef<HTMLDivElement>(null)
  useKeepInView(tab, list)
  useFocusOnPanel(tab)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = tabForKey(tab, event.key)
    if (!next || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return
    }

    event.preventDefault()
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus({ preventScroll: true })
    void navigate(courseTabUrl(next, first), { preventScrollReset: true })
  }

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
            to={courseTabUrl(name, first)}
            preventScrollReset
            aria-selected={name === tab}
            aria-controls={name === tab ? panelId(name) : undefined}
            tabIndex={hydrated && name !== tab ? -1 : 0}
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
 * After another tab was chosen, a page scrolled past the start of the old panel scrolls to the
 * start of the new one.
 */
function useKeepInView(tab: CourseTab, list: React.RefObject<HTMLElement | null>) {
  const { key } = useLocation()
  const shown = useRef({ tab, key })
  useEffect(() => {
    const before = shown.current
    shown.current = { tab, key }
    if (before.tab === tab || before.key === key) {
      return
    }

    const panel = document.getElementById(panelId(tab))
    const stuckBelow = list.current?.getBoundingClientRect().bottom ?? 0
    if (panel && panel.getBoundingClientRect().top < stuckBelow) {
      panel.scrollIntoView({ block: 'start' })
    }
  }, [tab, key, list])
}

/** The router scrolls to a hash; the keyboard goes on there, too. */
function useFocusOnPanel(tab: CourseTab) {
  const { key, hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again.
  useEffect(() => {
    if (hash === `#${panelId(tab)}`) {
      document.getElementById(panelId(tab))?.focus({ preventScroll: true })
    }
  }, [key, hash, tab])
}
