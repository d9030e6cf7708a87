import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { fetchJson } from '~/ui/fetch-json'
import { foldSearch } from '../course-filters'
import { type Suggestion, type Suggestions, suggestionsAddress } from './catalog-result'

export type SuggestionGroup = { name: string; options: Suggestion[] }

/** The groups that have something, in the order in which they are shown. */
export function suggestionGroups(suggestions: Suggestions | null): SuggestionGroup[] {
  if (!suggestions) {
    return []
  }

  const groups = [
    { name: 'Courses', options: suggestions.courses },
    { name: 'Instructors', options: suggestions.instructors },
    { name: 'Skills', options: suggestions.skills },
    { name: 'Search for', options: suggestions.words },
  ]

  return groups.filter(({ options }) => options.length > 0)
}

/**
 * Where a key leads in a list of `count` options, by the ARIA combobox pattern.
 *
 * @param active the option that is chosen, -1 while only the field is.
 * @returns null for a key that is the field's own: Home and End move its cursor until an option is
 * chosen.
 */
export function optionForKey(active: number, count: number, key: string): number | null {
  if (count === 0) {
    return null
  }

  if (key === 'ArrowDown') {
    return active === count - 1 ? -1 : active + 1
  }

  if (key === 'ArrowUp') {
    return active === -1 ? count - 1 : active - 1
  }

  if (active === -1) {
    return null
  }

  if (key === 'Home') {
    return 0
  }

  return key === 'End' ? count - 1 : null
}

const typingPauseMs = 120

type Shown = {
  /** The text that the suggestions are for; empty while the list is closed. */
  asked: string
  groups: SuggestionGroup[]
}
const nothing: Shown = { asked: '', groups: [] }

/**
 * Asks for suggestions after each pause in typing. A late answer is discarded.
 *
 * @param settled the text of the field for which nothing is suggested.
 */
export function useSuggestions(
  input: RefObject<HTMLInputElement | null>,
  settled: string,
): Shown & { open(): void; close(): void } {
  const [shown, setShown] = useState(nothing)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const request = useRef<AbortController>(undefined)

  const giveUp = useCallback(() => {
    clearTimeout(timer.current)
    request.current?.abort()
  }, [])
  const close = useCallback(() => {
    giveUp()
    setShown(nothing)
  }, [giveUp])
  const open = useCallback(() => {
    giveUp()
    request.current = new AbortController()
    const { signal } = request.current
    const typed = foldSearch(input.current?.value ?? '')
    const ask = async () => {
      const address = `${suggestionsAddress}?${new URLSearchParams({ q: typed })}`
      const answer = await fetchJson<Suggestions>(address, undefined, signal)
      if (!signal.aborted) {
        setShown(answer ? { asked: typed, groups: suggestionGroups(answer) } : nothing)
      }
    }

    if (typed === '') {
      setShown(nothing)
    } else {
      timer.current = setTimeout(ask, typingPauseMs)
    }
  }, [giveUp, input])

  useEffect(() => {
    const field = input.current
    // The text has changed while this was loading.
    if (document.activeElement === field && field?.value !== settled) {
      open()
    }

    field?.addEventListener('input', open)
    field?.addEventListener('blur', close)

    return () => {
      giveUp()
      field?.removeEventListener('input', open)
      field?.removeEventListener('blur', close)
    }
  }, [input, settled, open, close, giveUp])

  return { ...shown, open, close }
}

type OptionList = {
  /** The text that the options are for. */
  asked: string
  count: number
  optionId(index: number): string
  open(): void
  close(): void
}

/**
 * Arrows, Home and End choose an option, Enter follows it, Escape closes the list, Down opens it.
 * Everything else is the field's own. A choice ends with the text it was made for.
 *
 * @returns the chosen option, -1 while only the field is.
 */
export function useSuggestionKeys(
  input: RefObject<HTMLInputElement | null>,
  list: OptionList,
): number {
  const [active, setActive] = useState(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other suggestions, or the same opened again, begin without a choice.
  useLayoutEffect(() => setActive(-1), [list.asked])
  const latest = useRef({ list, active })
  // In a layout effect, because the next key may follow at once.
  useLayoutEffect(() => {
    latest.current = { list, active }
  })
  useEffect(() => {
    const field = input.current
    const forget = () => setActive(-1)
    const onKey = (event: KeyboardEvent) => {
      const { list, active } = latest.current
      if (event.isComposing) {
        return
      }

      const to = optionForKey(active, list.count, event.key)
      if (to !== null) {
        setActive(to)
      } else if (event.key === 'ArrowDown') {
        list.open()
      } else if (event.key === 'Escape' && list.count > 0) {
        list.close()
      } else if (event.key === 'Enter' && active >= 0) {
        document.getElementById(list.optionId(active))?.click()
      } else if (event.key === 'Enter') {
        // The form is sent.
        return list.close()
      } else {
        return
      }

      event.preventDefault()
      event.stopPropagation()
    }

    field?.addEventListener('input', forget)
    field?.addEventListener('keydown', onKey)

    return () => {
      field?.removeEventListener('input', forget)
      field?.removeEventListener('keydown', onKey)
    }
  }, [input])

  return active
}
