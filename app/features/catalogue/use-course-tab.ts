import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { addressOfTab, type CourseTab, panelId, parseCourseTab, tabForKey, tabId } from './course-tabs'

/**
 * Which tab the address asks for, which one is chosen, and the keys that the ARIA tab pattern gives to a list of tabs. The
 * address and the panel follow once the choice is painted, so that a slow phone shows a press at once.
 */
export function useCourseTab() {
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

/** Starts at the tab of the address, and again whenever that changes. */
function useChosenTab(tab: CourseTab) {
  const [choice, setChoice] = useState({ tab, chosen: tab })
  const chosen = choice.tab === tab ? choice.chosen : tab
  if (choice.tab !== tab) setChoice({ tab, chosen: tab })
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router's function changes with every address.
  useEffect(() => {
    if (chosen === tab) return
    let timer: ReturnType<typeof setTimeout>
    const frame = requestAnimationFrame(() => {
      // At once: what is pressed while a panel is drawn in parts would be lost.
      timer = setTimeout(() => navigate(addressOfTab(chosen), { preventScrollReset: true, flushSync: true }))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [chosen, tab])
  return [chosen, (next: CourseTab) => setChoice({ tab, chosen: next })] as const
}

/** A page that is scrolled past the start of the old panel shows the start of the new one. */
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

const never = () => () => {}

/** False in the server's HTML, where every tab has to be reachable by the Tab key. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
