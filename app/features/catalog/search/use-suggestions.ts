import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { fetchAnswer } from '~/ui/fetch-answer'
import { foldSearch } from '../course-filters'
import { type Suggestions, suggestionsAddress } from './catalog-result'
import { type SuggestionGroup, suggestionGroups } from './suggestion-keys'

const typingPauseMs = 120

type Shown = {
  /** What the suggestions are for; empty while the list is closed. */
  asked: string
  groups: SuggestionGroup[]
}
const nothing: Shown = { asked: '', groups: [] }

/**
 * Asks for suggestions while one types, once a pause; an answer that nobody waits for any more is given up.
 *
 * @param settled what the field holds that nobody has just typed.
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
      const answer = await fetchAnswer<Suggestions>(address, undefined, signal)
      if (!signal.aborted) setShown(answer ? { asked: typed, groups: suggestionGroups(answer) } : nothing)
    }
    if (typed === '') setShown(nothing)
    else timer.current = setTimeout(ask, typingPauseMs)
  }, [giveUp, input])

  useEffect(() => {
    const field = input.current
    // Something was typed while this was loaded.
    if (document.activeElement === field && field?.value !== settled) open()
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
