import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router'
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
