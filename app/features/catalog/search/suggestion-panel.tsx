import { type RefObject, useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '~/ui/format-count'
import type { Suggestion } from './catalog-result'
import { MarkedText } from './marked-text'
import { suggestionsFound } from './search-messages'
import { type SuggestionGroup, useSuggestionKeys, useSuggestions } from './use-suggestions'

type PanelProps = {
  /** Of the field. */
  id: string
  input: RefObject<HTMLInputElement | null>
  /** The field's text. Suggestions start with the first change. */
  settled: string
}

/**
 * The list below a search field. The field keeps the focus; its attributes say which option is
 * chosen.
 */
export function SuggestionPanel({ id, input, settled }: PanelProps) {
  const { groups, asked, open, close } = useSuggestions(input, settled)
  const options = groups.flatMap((group) => group.options)
  const isOpen = options.length > 0
  const optionId = (index: number) => `${id}-option-${index}`
  const active = useSuggestionKeys(input, { asked, count: options.length, optionId, open, close })
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
        {asked && suggestionsFound(options.length)}
      </p>
    </>
  )
}

type GroupProps = {
  id: string
  group: SuggestionGroup
  /** Place of its first option in the whole list. */
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
