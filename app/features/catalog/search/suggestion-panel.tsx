import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { fetchJson } from '~/ui/connection'
import { byCount, formatNumber } from '~/ui/format-count'
import { type Suggestion, type Suggestions, suggestionsPath } from './catalog-query'
import { normalizeSearch } from './facets'
import { MarkedText } from './marked-text'

type PanelProps = {
  /** The ID of the search field. */
  id: string
  input: RefObject<HTMLInputElement | null>
  /** The field's text. Suggestions start with the first change. */
  settledText: string
}

/**
 * The list below a search field. The field keeps the focus; its attributes say which option is
 * chosen.
 */
export function SuggestionPanel({ id, input, settledText }: PanelProps) {
  const { groups, searchedText, open, close } = useSuggestions(input, settledText)
  const options = groups.flatMap((group) => group.options)
  const isOpen = options.length > 0
  const optionId = (index: number) => `${id}-option-${index}`
  const active = useSuggestionKeys(input, {
    searchedText,
    count: options.length,
    optionId,
    open,
    close,
  })
  useLayoutEffect(() => {
    const field = input.current
    field?.setAttribute('aria-expanded', String(isOpen))
    if (active < 0 || !isOpen) {
      field?.removeAttribute('aria-activedescendant')
    } else {
      field?.setAttribute('aria-activedescendant', `${id}-option-${active}`)
    }

    if (active >= 0) {
      document.getElementById(`${id}-option-${active}`)?.scrollIntoView({ block: 'nearest' })
    }
  }, [input, id, isOpen, active])

  return (
    <>
      <div
        id={`${id}-suggestions`}
        role="listbox"
        aria-label="Suggestions"
        // Otherwise Tab stops at a list that scrolls, and leaving the field hides it.
        tabIndex={-1}
        hidden={!isOpen}
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        className="absolute inset-x-0 top-full z-40 mt-2 max-h-[min(28rem,70vh)] min-w-full overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-2 text-ink shadow-raised lg:min-w-96"
      >
        {groups.map((group) => (
          <Group
            key={group.name}
            id={`${id}-${group.name.replace(' ', '-')}`}
            group={group}
            first={options.indexOf(group.options[0] as Suggestion)}
            active={active}
            optionId={optionId}
            onChoose={close}
          />
        ))}
      </div>
      <p aria-live="polite" className="sr-only">
        {searchedText && formatSuggestionCount(options.length)}
      </p>
    </>
  )
}

type GroupProps = {
  id: string
  group: SuggestionGroup
  /** The index of the group's first option in the whole list. */
  first: number
  active: number
  optionId(index: number): string
  onChoose(): void
}

function Group({ id, group, first, active, optionId, onChoose }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of a listbox, no form fields.
    <div role="group" aria-labelledby={id}>
      <div
        id={id}
        role="presentation"
        className="px-3 pt-2 pb-1 text-[0.8125rem] font-semibold text-muted"
      >
        {group.name}
      </div>
      {group.options.map((option, index) => (
        <Link
          key={`${option.address} ${option.text}`}
          id={optionId(first + index)}
          role="option"
          aria-selected={first + index === active}
          tabIndex={-1}
          to={option.address}
          onClick={onChoose}
          className="flex min-h-11 items-center gap-3 rounded-control px-3 py-2 leading-snug hover:bg-sunken aria-selected:bg-accent-soft aria-selected:outline-2 aria-selected:outline-transparent aria-selected:-outline-offset-2"
        >
          <span className="min-w-0 flex-1">
            <MarkedText text={option.text} marks={option.marks} />
          </span>
          {option.count !== null && option.count > 1 && (
            <span className="shrink-0 text-sm text-muted tabular-nums">
              {formatNumber(option.count)}
              <span className="sr-only"> courses</span>
            </span>
          )}
        </Link>
      ))}
    </div>
  )
}

export type SuggestionGroup = { name: string; options: Suggestion[] }

/** The groups that have something, in the order in which they are shown. */
export function groupSuggestions(suggestions: Suggestions | null): SuggestionGroup[] {
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
export function getOptionForKey(active: number, count: number, key: string): number | null {
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

type DisplayedSuggestions = {
  /** The text that the suggestions are for. Empty while the list is closed. */
  searchedText: string
  groups: SuggestionGroup[]
}

const closedList: DisplayedSuggestions = { searchedText: '', groups: [] }

/**
 * Requests suggestions after each pause in typing. A response that arrives after the text has changed
 * is discarded.
 *
 * @param settledText the text of the field for which nothing is suggested
 */
function useSuggestions(
  input: RefObject<HTMLInputElement | null>,
  settledText: string,
): DisplayedSuggestions & { open(): void; close(): void } {
  const [displayed, setDisplayed] = useState(closedList)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const request = useRef<AbortController>(undefined)

  const cancelRequest = useCallback(() => {
    clearTimeout(timer.current)
    request.current?.abort()
  }, [])
  const close = useCallback(() => {
    cancelRequest()
    setDisplayed(closedList)
  }, [cancelRequest])
  const open = useCallback(() => {
    cancelRequest()
    request.current = new AbortController()
    const { signal } = request.current
    const typed = normalizeSearch(input.current?.value ?? '')
    const requestSuggestions = async () => {
      const url = `${suggestionsPath}?${new URLSearchParams({ q: typed })}`
      const response = await fetchJson<Suggestions>(url, undefined, signal)
      if (!signal.aborted) {
        setDisplayed(
          response ? { searchedText: typed, groups: groupSuggestions(response) } : closedList,
        )
      }
    }

    if (typed === '') {
      setDisplayed(closedList)
    } else {
      timer.current = setTimeout(requestSuggestions, typingPauseMs)
    }
  }, [cancelRequest, input])

  useEffect(() => {
    const field = input.current
    // The text has changed while this was loading.
    if (document.activeElement === field && field?.value !== settledText) {
      open()
    }

    field?.addEventListener('input', open)
    field?.addEventListener('blur', close)

    return () => {
      cancelRequest()
      field?.removeEventListener('input', open)
      field?.removeEventListener('blur', close)
    }
  }, [input, settledText, open, close, cancelRequest])

  return { ...displayed, open, close }
}

type OptionList = {
  /** The text that the options are for. */
  searchedText: string
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
function useSuggestionKeys(input: RefObject<HTMLInputElement | null>, list: OptionList): number {
  const [active, setActive] = useState(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other suggestions, or the same opened again, begin without a choice.
  useLayoutEffect(() => setActive(-1), [list.searchedText])
  const latest = useRef({ list, active })
  // In a layout effect, because the next key may follow at once.
  useLayoutEffect(() => {
    latest.current = { list, active }
  })
  useEffect(() => {
    const field = input.current
    const clearChoice = () => setActive(-1)
    const onKey = (event: KeyboardEvent) => {
      const { list, active } = latest.current
      const isHandled = !event.isComposing && handleKey(event.key, { list, active, setActive })
      if (isHandled) {
        event.preventDefault()
        event.stopPropagation()
      }
    }

    field?.addEventListener('input', clearChoice)
    field?.addEventListener('keydown', onKey)

    return () => {
      field?.removeEventListener('input', clearChoice)
      field?.removeEventListener('keydown', onKey)
    }
  }, [input])

  return active
}

type KeyContext = { list: OptionList; active: number; setActive(option: number): void }

/** @returns whether the key was meant for the list, so that the field should ignore it */
function handleKey(key: string, { list, active, setActive }: KeyContext): boolean {
  const nextOption = getOptionForKey(active, list.count, key)
  if (nextOption !== null) {
    setActive(nextOption)
    return true
  }

  if (key === 'ArrowDown') {
    list.open()
    return true
  }

  if (key === 'Escape' && list.count > 0) {
    list.close()
    return true
  }

  if (key === 'Enter' && active >= 0) {
    document.getElementById(list.optionId(active))?.click()
    return true
  }

  if (key === 'Enter') {
    // No option is chosen, so the form is submitted, and its results take the place of the list.
    list.close()
  }

  return false
}

/** Announced by screen readers. */
export function formatSuggestionCount(count: number): string {
  if (count === 0) {
    return 'No suggestions'
  }

  return byCount(
    count,
    '1 suggestion. Use the arrow keys.',
    `${count} suggestions. Use the arrow keys.`,
  )
}
