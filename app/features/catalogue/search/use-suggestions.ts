import { type RefObject, useCallback, useEffect, useState } from 'react'
import { fetchAnswer } from '~/ui/fetch-answer'
import { foldSearch } from '../course-filters'
import { type Suggestions, suggestionsAddress } from './catalogue-result'
import { type SuggestionGroup, suggestionGroups } from './suggestion-keys'

const typingPauseMs = 120

type Shown = {
  /** What the suggestions are for; empty while the list is closed. */
  asked: string
  groups: SuggestionGroup[]
}
const nothing: Shown = { asked: '', groups: [] }

/** Asks for suggestions while one types, once a pause; an answer that nobody waits for any more is given up. */
export function useSuggestions(input: RefObject<HTMLInputElement | null>): Shown & { close(): void } {
  const [shown, setShown] = useState(nothing)
  const close = useCallback(() => setShown(nothing), [])
  useEffect(() => {
    const field = input.current
    let timer: ReturnType<typeof setTimeout> | undefined
    let request = new AbortController()
    const giveUp = () => {
      clearTimeout(timer)
      request.abort()
    }
    const ask = async (typed: string) => {
      const { signal } = request
      const address = `${suggestionsAddress}?${new URLSearchParams({ q: typed })}`
      const answer = await fetchAnswer<Suggestions>(address, undefined, signal)
      if (!signal.aborted) setShown(answer ? { asked: typed, groups: suggestionGroups(answer) } : nothing)
    }
    const follow = () => {
      giveUp()
      request = new AbortController()
      const typed = foldSearch(field?.value ?? '')
      if (typed === '') setShown(nothing)
      else timer = setTimeout(() => ask(typed), typingPauseMs)
    }
    const leave = () => {
      giveUp()
      setShown(nothing)
    }
    /** Down opens the list anew. */
    const reopen = (event: KeyboardEvent) => {
      if (event.key === 'ArrowDown' && field?.getAttribute('aria-expanded') === 'false') follow()
      if (event.key === 'Enter') leave()
    }
    // Something was typed while this was loaded.
    if (document.activeElement === field && field?.value !== field?.defaultValue) follow()
    field?.addEventListener('input', follow)
    field?.addEventListener('blur', leave)
    field?.addEventListener('keydown', reopen)
    return () => {
      giveUp()
      field?.removeEventListener('input', follow)
      field?.removeEventListener('blur', leave)
      field?.removeEventListener('keydown', reopen)
    }
  }, [input])
  return { ...shown, close }
}
