import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useHydrated } from '~/ui/hooks'

export const courseTabs = ['overview', 'curriculum', 'instructor', 'reviews'] as const
type CourseTab = (typeof courseTabs)[number]

const tabNames: Record<CourseTab, string> = {
  overview: 'Overview',
  curriculum: 'Curriculum',
  instructor: 'Instructor',
  reviews: 'Reviews',
}

/** Returns the tab of the URL parameter `tab`, or the default tab if there is no such tab. */
export function parseCourseTab(parameters: URLSearchParams, defaultTab: CourseTab): CourseTab {
  const requestedTab = parameters.get('tab')
  return courseTabs.find((tab) => tab === requestedTab) ?? defaultTab
}

const tabId = (tab: CourseTab) => `tab-${tab}`
/**
 * The ID of a tab's panel. A link with this hash leads to the panel itself, and not only to its
 * tab.
 */
export const panelId = (tab: CourseTab) => `panel-${tab}`

/** Returns the URL of a tab, relative to the course's page. The default tab needs no parameter. */
export function courseTabUrl(tab: CourseTab, defaultTab: CourseTab): string {
  return tab === defaultTab ? '.' : `?tab=${tab}`
}

/** Returns the tab that a key moves to, by the ARIA tab pattern, or null for any other key. */
export function getTabForKey(tab: CourseTab, key: string): CourseTab | null {
  const index = courseTabs.indexOf(tab)
  const indexByKey: Record<string, number> = {
    ArrowRight: (index + 1) % courseTabs.length,
    ArrowLeft: index - 1,
    Home: 0,
    End: -1,
    ' ': index,
  }
  const nextIndex = indexByKey[key]

  // A negative index counts from the end.
  return nextIndex === undefined ? null : (courseTabs.at(nextIndex) ?? null)
}

type CourseTabsProps = {
  /** The tab that is open unless the URL names another one. */
  defaultTab: CourseTab
  panels: Record<CourseTab, ReactNode>
}

/**
 * Four tabs by the ARIA tab pattern: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/. Each tab has a
 * URL, and the page contains only the panel of the chosen tab.
 */
export function CourseTabs({ defaultTab, panels }: CourseTabsProps) {
  const [parameters] = useSearchParams()
  const chosenTab = parseCourseTab(parameters, defaultTab)
  const navigate = useNavigate()
  const isHydrated = useHydrated()
  const tabList = useRef<HTMLDivElement>(null)
  useScrollToPanelStart(chosenTab, tabList)
  useFocusOnPanel(chosenTab)

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const nextTab = getTabForKey(chosenTab, event.key)
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
    if (!nextTab || hasModifier) {
      return
    }

    event.preventDefault()
    const nextLink = tabList.current?.querySelector<HTMLElement>(`#${tabId(nextTab)}`)
    nextLink?.focus({ preventScroll: true })
    void navigate(courseTabUrl(nextTab, defaultTab), { preventScrollReset: true })
  }

  return (
    <>
      <div
        ref={tabList}
        role="tablist"
        aria-label="About this course"
        className="print:hidden sticky top-16 z-10 -mx-2 flex overflow-x-auto border-line border-b bg-canvas px-1 sm:gap-2"
      >
        {courseTabs.map((tab) => (
          <Link
            key={tab}
            id={tabId(tab)}
            role="tab"
            to={courseTabUrl(tab, defaultTab)}
            preventScrollReset
            aria-selected={tab === chosenTab}
            aria-controls={tab === chosenTab ? panelId(tab) : undefined}
            // Without a script, the arrow keys don't work, so that every tab can be reached by Tab.
            tabIndex={isHydrated && tab !== chosenTab ? -1 : 0}
            onKeyDown={handleKeyDown}
            className="-mb-px inline-flex min-h-12 shrink-0 items-center border-transparent border-b-2 px-[clamp(0.25rem,1.6vw,1rem)] font-semibold text-muted whitespace-nowrap max-sm:grow max-sm:justify-center max-[22rem]:text-sm -outline-offset-3 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {tabNames[tab]}
          </Link>
        ))}
      </div>
      <section
        id={panelId(chosenTab)}
        role="tabpanel"
        tabIndex={-1}
        aria-labelledby={tabId(chosenTab)}
        className="scroll-mt-32 pt-8 outline-none"
      >
        {panels[chosenTab]}
      </section>
    </>
  )
}

/**
 * Scrolls to the start of the panel after another tab was chosen, if the start is hidden behind the
 * list of tabs, which sticks to the top of the window.
 */
function useScrollToPanelStart(tab: CourseTab, tabList: RefObject<HTMLElement | null>) {
  const { key: navigationKey } = useLocation()
  const previous = useRef({ tab, navigationKey })

  useEffect(() => {
    const { tab: previousTab, navigationKey: previousKey } = previous.current
    previous.current = { tab, navigationKey }
    // The default tab can change without a navigation, when the viewer's data arrives.
    const wasTabChosen = previousTab !== tab && previousKey !== navigationKey
    if (!wasTabChosen) {
      return
    }

    const panel = document.getElementById(panelId(tab))
    const tabListBottom = tabList.current?.getBoundingClientRect().bottom ?? 0
    if (panel && panel.getBoundingClientRect().top < tabListBottom) {
      panel.scrollIntoView({ block: 'start' })
    }
  }, [tab, navigationKey, tabList])
}

/**
 * Moves the focus to the panel if the URL's hash names the panel. The router only scrolls to it.
 */
function useFocusOnPanel(tab: CourseTab) {
  const { key, hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again.
  useEffect(() => {
    if (hash === `#${panelId(tab)}`) {
      document.getElementById(panelId(tab))?.focus({ preventScroll: true })
    }
  }, [key, hash, tab])
}
