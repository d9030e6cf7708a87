import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useHydrated } from '~/ui/use-hydrated'

export type LessonTab = { id: string; label: string; content: ReactNode }

/**
 * One panel at a time, by the tabs pattern. Without scripts, and on paper, all are shown below one another under headings of
 * their own.
 */
export function LessonTabs({ label, tabs, first }: { label: string; tabs: readonly LessonTab[]; first: string }) {
  const [chosen, setChosen] = useState(first)
  const list = useRef<HTMLDivElement>(null)
  const name = useId()
  const current = tabs.some(({ id }) => id === chosen) ? chosen : tabs[0]?.id
  const move = (event: KeyboardEvent) => {
    const next = targetOf(
      event.key,
      tabs.findIndex(({ id }) => id === current),
      tabs.length,
    )
    const tab = next === null ? undefined : tabs[next]
    if (!tab) return
    event.preventDefault()
    setChosen(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next ?? 0]?.focus()
  }
  const hydrated = useHydrated()
  if (tabs.length === 1) return tabs[0]?.content
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="mb-4 flex shrink-0 gap-1 border-line border-b noscript:hidden print:hidden"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            disabled={!hydrated}
            role="tab"
            id={`${name}-${tab.id}`}
            aria-controls={`${name}-${tab.id}-panel`}
            aria-selected={tab.id === current}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => setChosen(tab.id)}
            className="-mb-px min-h-11 border-transparent border-b-2 px-4 font-semibold text-muted hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${name}-${tab.id}-panel`}
          aria-labelledby={`${name}-${tab.id}`}
          data-chosen={tab.id === current}
          className="min-h-0 data-[chosen=false]:hidden noscript:mb-5 noscript:block! print:mb-5 print:block!"
        >
          {tab.content}
        </div>
      ))}
    </>
  )
}

function targetOf(key: string, index: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index + count - 1) % count
  return null
}
