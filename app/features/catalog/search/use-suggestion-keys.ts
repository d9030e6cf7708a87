import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { optionForKey } from './suggestion-keys'

type ListState = {
  input: RefObject<HTMLInputElement | null>
  count: number
  active: number
  choose(option: number): void
  optionId(index: number): string
  open(): void
  close(): void
}

/** Arrows, Home and End choose, Enter follows the choice, Escape closes, Down opens. Everything else is the field's own. */
export function useSuggestionKeys(list: ListState): void {
  const latest = useRef(list)
  // Before the list is seen: the next key may come at once.
  useLayoutEffect(() => {
    latest.current = list
  })
  const { input } = list
  useEffect(() => {
    const field = input.current
    const onKey = (event: KeyboardEvent) => {
      const { count, active, choose, optionId, open, close } = latest.current
      if (event.isComposing) return
      const to = optionForKey(active, count, event.key)
      if (to !== null) choose(to)
      else if (event.key === 'ArrowDown') open()
      else if (event.key === 'Escape' && count > 0) close()
      else if (event.key === 'Enter' && active >= 0) document.getElementById(optionId(active))?.click()
      // The form is sent.
      else if (event.key === 'Enter') return close()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    field?.addEventListener('keydown', onKey)
    return () => field?.removeEventListener('keydown', onKey)
  }, [input])
}
