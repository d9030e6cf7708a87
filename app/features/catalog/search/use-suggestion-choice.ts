import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

type SuggestionChoice = {
  /** The option that is chosen, -1 while only the field is. */
  active: number
  choose(option: number): void
  point(option: number): void
  pointAway(): void
}

/**
 * A choice ends with the text it was made for; one that the pointer made also when the pointer leaves.
 *
 * @param asked the text that the suggestions are for.
 */
export function useSuggestionChoice(input: RefObject<HTMLInputElement | null>, asked: string): SuggestionChoice {
  const [active, setActive] = useState(-1)
  const byPointer = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other suggestions, or the same opened again, begin without a choice.
  useLayoutEffect(() => setActive(-1), [asked])
  useEffect(() => {
    const field = input.current
    const forget = () => setActive(-1)
    field?.addEventListener('input', forget)
    return () => field?.removeEventListener('input', forget)
  }, [input])

  const choose = (option: number, pointed = false) => {
    byPointer.current = pointed
    setActive(option)
  }
  return {
    active,
    choose: (option) => choose(option),
    point: (option) => choose(option, true),
    pointAway: () => byPointer.current && setActive(-1),
  }
}
