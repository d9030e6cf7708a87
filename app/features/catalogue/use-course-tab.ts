import { type KeyboardEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { addressOfTab, type CourseTab, panelId, parseCourseTab, tabForKey, tabId } from './course-tabs'

/** Which tab the address asks for, and the keys that the ARIA tab pattern gives to a list of tabs. */
export function useCourseTab() {
  const [parameters] = useSearchParams()
  const tab = parseCourseTab(parameters)
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  useKeepInView(tab, list)
  useFocusOnPanel(tab)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = tabForKey(tab, event.key)
    if (!next || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus({ preventScroll: true })
    if (next !== tab) navigate(addressOfTab(next), { preventScrollReset: true })
  }
  return { tab, list, onKeyDown }
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
