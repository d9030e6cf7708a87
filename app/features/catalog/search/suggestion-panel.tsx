import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { fetchJson } from '~/ui/connection'
import { byCount, formatNumber } from '~/ui/format-count'
import { type Suggestion, type Suggestions, suggestionsPath } from './catalog-query'
import { MarkedText } from './marked-text'
import { normalizeSearch } from './normalize-search'

type PanelProps = {
  /** The ID of the search field. */
  id: string
  input: RefObject<HTMLInputElement | null>
  /** The field's text. Suggestions start with the first change. */
  settledText: string
}

/**
 * The list of suggestions below a search field. The field keeps the focus, and its ARIA attributes
 * say which option is active.
 */
export function SuggestionPanel({ id, input, settledText }: PanelProps) {
  const { groups, searchedText, open, close } = useSuggestions(input, settledText)
  const options = groups.flatMap((group) => group.options)
  const isOpen = options.length > 0
  const optionId = (index: number) => `${id}-option-${index}`
  const activeIndex = useSuggestionKeys(input, {
    searchedText,
    count: options.length,
    optionId,
    open,
    close,
  })

  useLayoutEffect(() => {
    const field = input.current
    const activeOptionId = `${id}-option-${activeIndex}`
    field?.setAttribute('aria-expanded', String(isOpen))
    if (activeIndex < 0 || !isOpen) {
      field?.removeAttribute('aria-activedescendant')
    } else {
      field?.setAttribute('aria-activedescendant', activeOptionId)
    }

    if (activeIndex >= 0) {
      document.getElementById(activeOptionId)?.scrollIntoView({ block: 'nearest' })
    }
  }, [input, id, isOpen, activeIndex])

  return (
    <>
      <div
        id={`${id}-suggestions`}
        role="listbox"
        aria-label="Suggestions"
        // Without this, Tab would stop at the list, because it scrolls.
        tabIndex={-1}
        hidden={!isOpen}
        // A press on the list must not take the focus from the field, which would close the list.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        className="absolute inset-x-0 top-full z-40 mt-2 max-h-[min(28rem,70vh)] min-w-full overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-2 text-ink shadow-raised lg:min-w-96"
      >
        {groups.map((group) => (
          <SuggestionGroupList
            key={group.name}
            id={`${id}-${group.name.replace(' ', '-')}`}
            group={group}
            firstIndex={options.indexOf(group.options[0] as Suggestion)}
            activeIndex={activeIndex}
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

type SuggestionGroupListProps = {
  id: string
  group: SuggestionGroup
  /** The index of the group's first option in the whole list. */
  firstIndex: number
  activeIndex: number
  optionId(index: number): string
  onChoose(): void
}

function SuggestionGroupList(props: SuggestionGroupListProps) {
  const { id, group, firstIndex, activeIndex, optionId, onChoose } = props

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, and this is a part of a listbox.
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
          id={optionId(firstIndex + index)}
          role="option"
          aria-selected={firstIndex + index === activeIndex}
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

/** Returns the groups that aren't empty, in the order in which they are shown. */
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
 * Returns the index of the option that a key leads to, by the ARIA combobox pattern, or -1 if the
 * key leads back to the field.
 *
 * @param activeIndex the index of the active option, or -1 if no option is active
 * @returns null if the key belongs to the field. Home and End do until an option is active.
 */
export function getOptionForKey(activeIndex: number, count: number, key: string): number | null {
  if (count === 0) {
    return null
  }

  if (key === 'ArrowDown') {
    return activeIndex === count - 1 ? -1 : activeIndex + 1
  }

  if (key === 'ArrowUp') {
    return activeIndex === -1 ? count - 1 : activeIndex - 1
  }

  if (activeIndex === -1) {
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
 * Requests suggestions after each pause in typing. A response that arrives after the text has
 * changed is discarded.
 *
 * @param settledText the text of the field for which nothing is suggested
 * @returns the displayed suggestions, and functions that open the list for the field's text and
 *   close it
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

    const searchedText = normalizeSearch(input.current?.value ?? '')
    if (searchedText === '') {
      setDisplayed(closedList)
      return
    }

    request.current = new AbortController()
    const { signal } = request.current
    const requestSuggestions = async () => {
      const url = `${suggestionsPath}?${new URLSearchParams({ q: searchedText })}`
      const suggestions = await fetchJson<Suggestions>(url, undefined, signal)
      if (signal.aborted) {
        return
      }

      setDisplayed(
        suggestions ? { searchedText, groups: groupSuggestions(suggestions) } : closedList,
      )
    }

    timer.current = setTimeout(requestSuggestions, typingPauseMs)
  }, [cancelRequest, input])

  useEffect(() => {
    const field = input.current
    // The text may have changed while this panel was loading.
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
 * Handles the keys of the list: arrows, Home and End make an option active, Enter follows its link,
 * Escape closes the list, and ArrowDown opens it. All other keys belong to the field. When the text
 * changes, no option is active any more.
 *
 * @returns the index of the active option, or -1 if no option is active
 */
function useSuggestionKeys(input: RefObject<HTMLInputElement | null>, list: OptionList): number {
  const [activeIndex, setActiveIndex] = useState(-1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: no option is active in a list that is new or opened again.
  useLayoutEffect(() => setActiveIndex(-1), [list.searchedText])

  // The listener is added once, so it reads the latest values from this ref. They are written in a
  // layout effect, because the next key may follow immediately.
  const latest = useRef({ list, activeIndex })
  useLayoutEffect(() => {
    latest.current = { list, activeIndex }
  })

  useEffect(() => {
    const field = input.current
    const clearActiveOption = () => setActiveIndex(-1)
    const handleKeyDown = (event: KeyboardEvent) => {
      const isHandled =
        !event.isComposing && handleKey(event.key, { ...latest.current, setActiveIndex })
      if (isHandled) {
        event.preventDefault()
        event.stopPropagation()
      }
    }

    field?.addEventListener('input', clearActiveOption)
    field?.addEventListener('keydown', handleKeyDown)

    return () => {
      field?.removeEventListener('input', clearActiveOption)
      field?.removeEventListener('keydown', handleKeyDown)
    }
  }, [input])

  return activeIndex
}

type KeyContext = {
  list: OptionList
  activeIndex: number
  setActiveIndex(index: number): void
}

/** @returns whether the key was meant for the list, so that the field should ignore it */
function handleKey(key: string, { list, activeIndex, setActiveIndex }: KeyContext): boolean {
  const nextIndex = getOptionForKey(activeIndex, list.count, key)
  if (nextIndex !== null) {
    setActiveIndex(nextIndex)
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

  if (key === 'Enter' && activeIndex >= 0) {
    document.getElementById(list.optionId(activeIndex))?.click()
    return true
  }

  if (key === 'Enter') {
    // No option is active, so the form is submitted, and its results take the place of the list.
    list.close()
  }

  return false
}

/** Returns the text that screen readers announce. */
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
