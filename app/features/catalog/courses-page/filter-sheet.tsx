import { SlidersHorizontal, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Button, IconButton } from '~/ui/button'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import {
  type CatalogQuery,
  type CatalogResult,
  changeQuery,
  type FacetOption,
} from '../search/catalog-query'
import type { FacetGroup } from '../search/facets'
import { formatCourseCount, formatShowButtonText } from './catalog-messages'
import {
  CatalogLink,
  catalogForm,
  getChosenOptions,
  groupNames,
  sheetGroups,
} from './chosen-filters'

const sheet = 'filter-sheet'

type FilterSheetProps = { query: CatalogQuery; result: CatalogResult }

const countChosen = (query: CatalogQuery) =>
  sheetGroups.reduce((sum, group) => sum + getChosenOptions(query, group).length, 0)

/** Opens the sheet on screens without room for the filters beside the list. */
export function FilterButton({ query }: Pick<FilterSheetProps, 'query'>) {
  const chosen = countChosen(query)
  return (
    <button
      type="button"
      popoverTarget={sheet}
      className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-edge bg-surface px-4 font-medium text-ink hover:border-ink max-sm:flex-1 lg:hidden"
    >
      <SlidersHorizontal aria-hidden="true" size={17} className="text-muted" />
      Filters
      {chosen > 0 && (
        <span className="rounded-full bg-accent px-2 text-sm font-semibold text-on-accent tabular-nums">
          {chosen}
          <span className="sr-only"> selected</span>
        </span>
      )}
    </button>
  )
}

const nothingChosen = Object.fromEntries(sheetGroups.map((group) => [group, []]))

/**
 * The groups in which several options can be chosen. On wide screens they stand beside the list; on
 * others they are a sheet that opens without a script and covers a phone.
 */
export function FilterSheet({ query, result }: FilterSheetProps) {
  const box = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  /** The heading while the sheet is open; beside the list, the page itself moves the focus. */
  const openHeading = useRef<HTMLHeadingElement>(null)
  useCloseWhenLeft(box)
  // 'Clear all' disappears with the filters, so it can't keep the focus.
  useFocusOnChange(countChosen(query), openHeading, { onlyIfLost: true })

  return (
    <section
      ref={box}
      id={sheet}
      popover="auto"
      aria-labelledby="filter-sheet-title"
      onToggle={({ newState }) => {
        openHeading.current = newState === 'open' ? heading.current : null
        openHeading.current?.focus()
      }}
      className="inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-full max-w-full flex-col overflow-hidden border-line bg-surface text-ink shadow-raised open:flex max-lg:sm:w-96 max-lg:sm:border-l lg:static lg:block lg:h-auto lg:w-auto lg:overflow-visible lg:border-0 lg:bg-transparent lg:p-0 lg:shadow-none"
    >
      <div className="flex items-center border-line border-b py-2 pr-2 pl-5 lg:min-h-11 lg:p-0">
        <h2
          ref={heading}
          id="filter-sheet-title"
          tabIndex={-1}
          className="flex-1 py-1 text-lg font-bold outline-none"
        >
          Filters
        </h2>
        {countChosen(query) > 0 && (
          <CatalogLink
            query={changeQuery(query, nothingChosen)}
            className="link inline-flex min-h-11 items-center px-3"
          >
            Clear all
          </CatalogLink>
        )}
        <IconButton
          label="Close the filters"
          popoverTarget={sheet}
          popoverTargetAction="hide"
          className="lg:hidden"
        >
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className="flex-1 overflow-y-auto overscroll-contain px-5 pb-6 lg:overflow-visible lg:p-0">
        {sheetGroups.map((group) => (
          <Options
            key={group}
            group={group}
            options={result.facets[group]}
            chosen={getChosenOptions(query, group)}
          />
        ))}
      </div>
      <div className="border-line border-t p-4 lg:px-0 [@media(scripting:enabled)]:lg:hidden">
        <Button
          type="submit"
          form={catalogForm}
          className="w-full [@media(scripting:enabled)]:hidden"
        >
          Show courses
        </Button>
        <Button
          popoverTarget={sheet}
          popoverTargetAction="hide"
          className="w-full [@media(scripting:none)]:hidden"
        >
          {formatShowButtonText(result)}
        </Button>
      </div>
    </section>
  )
}

/** Where filters stand beside the list. */
const wideScreen = '(min-width: 64rem)'

/**
 * Closes the sheet when the focus moves to the page behind it, and when the screen becomes wide. A
 * press beside the sheet closes it anyway.
 */
function useCloseWhenLeft(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const close = ({ target }: FocusEvent) => {
      const left =
        target instanceof Element &&
        !box.current?.contains(target) &&
        target.matches(':focus-visible')
      if (left) {
        box.current?.hidePopover?.()
      }
    }
    const hide = () => box.current?.hidePopover?.()
    const wide = matchMedia(wideScreen)
    document.addEventListener('focusin', close)
    wide.addEventListener('change', hide)

    return () => {
      document.removeEventListener('focusin', close)
      wide.removeEventListener('change', hide)
    }
  }, [box])
}

type OptionsProps = {
  group: (typeof sheetGroups)[number]
  options: FacetOption[]
  chosen: readonly string[]
}

function Options({ group, options, chosen }: OptionsProps) {
  if (options.length === 0) {
    return null
  }

  return (
    <fieldset className="border-line border-b py-5 last:border-0">
      <legend className="float-left mb-2 w-full font-bold">{groupNames[group]}</legend>
      <div className="clear-both">
        {options.map((option) => (
          <Option
            key={option.value}
            group={group}
            option={option}
            chosen={chosen.includes(option.value)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function Option({
  group,
  option,
  chosen,
}: {
  group: FacetGroup
  option: FacetOption
  chosen: boolean
}) {
  const { value, name = value, count, orMore } = option
  const none = count === 0 && !orMore && !chosen

  return (
    <label className="filter-option" data-none={none || undefined}>
      <input
        type="checkbox"
        name={group}
        value={value}
        form={catalogForm}
        defaultChecked={chosen}
        disabled={none}
      />
      {name}
      <span data-unit={count === 1 && !orMore ? ' course' : ' courses'}>
        {formatCourseCount(count, option)}
      </span>
    </label>
  )
}
