import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useHydrated } from '~/ui/use-hydrated'
import { addressOfTab, type CourseTab, courseTabs, panelId, tabId, tabNames } from './course-tabs'
import { useCourseTab } from './use-course-tab'

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
