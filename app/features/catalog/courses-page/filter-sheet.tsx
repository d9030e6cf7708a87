import { SlidersHorizontal, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Button, IconButton } from '~/ui/button'
import { useFocusOnChange } from '~/ui/hooks'
import {
  type CatalogQuery,
  type CatalogResult,
  changeQuery,
  type FacetOption,
} from '../search/catalog-query'
import type { FacetGroup } from '../search/facets'
import { formatCourseCount, formatShowButtonText } from './catalog-messages'
import { CatalogLink, multipleChoiceGroups } from './chosen-filters'
import { catalogFormId } from './filter-form'

const sheetId = 'filter-sheet'

type FilterSheetProps = { query: CatalogQuery; result: CatalogResult }

function countChosenOptions(query: CatalogQuery): number {
  return multipleChoiceGroups.reduce((sum, group) => sum + query[group].length, 0)
}

/** The button that opens the sheet on screens that have no room for the filters beside the list. */
export function FilterButton({ query }: Pick<FilterSheetProps, 'query'>) {
  const chosenCount = countChosenOptions(query)

  return (
    <button
      type="button"
      popoverTarget={sheetId}
      className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-edge bg-surface px-4 font-medium text-ink hover:border-ink max-sm:flex-1 lg:hidden"
    >
      <SlidersHorizontal aria-hidden="true" size={17} className="text-muted" />
      Filters
      {chosenCount > 0 && (
        <span className="rounded-full bg-accent px-2 text-sm font-semibold text-on-accent tabular-nums">
          {chosenCount}
          <span className="sr-only"> selected</span>
        </span>
      )}
    </button>
  )
}

const noOptionsChosen = Object.fromEntries(multipleChoiceGroups.map((group) => [group, []]))

/**
 * The groups of filters in which several options can be chosen. On wide screens they stand beside
 * the list. On other screens they are a popover, which opens without a script and covers a phone.
 */
export function FilterSheet({ query, result }: FilterSheetProps) {
  const sheet = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  /** The heading while the sheet is open. Beside the list, the page itself moves the focus. */
  const openHeading = useRef<HTMLHeadingElement>(null)
  useCloseSheet(sheet)
  // 'Clear all' disappears with the filters, so it can't keep the focus.
  useFocusOnChange(countChosenOptions(query), openHeading, { onlyIfLost: true })

  return (
    <section
      ref={sheet}
      id={sheetId}
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
        {countChosenOptions(query) > 0 && (
          <CatalogLink
            query={changeQuery(query, noOptionsChosen)}
            className="link inline-flex min-h-11 items-center px-3"
          >
            Clear all
          </CatalogLink>
        )}
        <IconButton
          label="Close the filters"
          popoverTarget={sheetId}
          popoverTargetAction="hide"
          className="lg:hidden"
        >
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className="flex-1 overflow-y-auto overscroll-contain px-5 pb-6 lg:overflow-visible lg:p-0">
        {multipleChoiceGroups.map((group) => (
          <OptionGroup
            key={group}
            group={group}
            options={result.facets[group]}
            chosenOptions={query[group]}
          />
        ))}
      </div>
      <div className="border-line border-t p-4 lg:px-0 [@media(scripting:enabled)]:lg:hidden">
        <Button
          type="submit"
          form={catalogFormId}
          className="w-full [@media(scripting:enabled)]:hidden"
        >
          Show courses
        </Button>
        <Button
          popoverTarget={sheetId}
          popoverTargetAction="hide"
          className="w-full [@media(scripting:none)]:hidden"
        >
          {formatShowButtonText(result)}
        </Button>
      </div>
    </section>
  )
}

/** The screens on which the filters stand beside the list. */
const wideScreenQuery = '(min-width: 64rem)'

/**
 * Closes the sheet when the keyboard moves the focus to the page behind it, and when the screen
 * becomes wide or narrow. The browser closes the sheet after a press beside it.
 */
function useCloseSheet(sheet: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const close = () => sheet.current?.hidePopover?.()
    const closeOnFocusOutside = ({ target }: FocusEvent) => {
      const isOutside = target instanceof Element && !sheet.current?.contains(target)
      if (isOutside && target.matches(':focus-visible')) {
        close()
      }
    }

    const wideScreen = matchMedia(wideScreenQuery)
    document.addEventListener('focusin', closeOnFocusOutside)
    wideScreen.addEventListener('change', close)

    return () => {
      document.removeEventListener('focusin', closeOnFocusOutside)
      wideScreen.removeEventListener('change', close)
    }
  }, [sheet])
}

type MultipleChoiceGroup = (typeof multipleChoiceGroups)[number]

const groupNames: Record<MultipleChoiceGroup, string> = {
  rating: 'Rating',
  price: 'Price',
  length: 'Length',
  language: 'Language',
  skill: 'Skill',
  instructor: 'Instructor',
}

type OptionGroupProps = {
  group: MultipleChoiceGroup
  options: FacetOption[]
  chosenOptions: readonly string[]
}

function OptionGroup({ group, options, chosenOptions }: OptionGroupProps) {
  if (options.length === 0) {
    return null
  }

  return (
    <fieldset className="border-line border-b py-5 last:border-0">
      <legend className="float-left mb-2 w-full font-bold">{groupNames[group]}</legend>
      <div className="clear-both">
        {options.map((option) => (
          <OptionCheckbox
            key={option.value}
            group={group}
            option={option}
            isChosen={chosenOptions.includes(option.value)}
          />
        ))}
      </div>
    </fieldset>
  )
}

type OptionCheckboxProps = { group: FacetGroup; option: FacetOption; isChosen: boolean }

function OptionCheckbox({ group, option, isChosen }: OptionCheckboxProps) {
  const { value, name = value, count, isPartial } = option
  // A chosen option stays enabled, so that it can be removed.
  const isDisabled = count === 0 && !isPartial && !isChosen

  return (
    <label className="filter-option" data-none={isDisabled || undefined}>
      <input
        type="checkbox"
        name={group}
        value={value}
        form={catalogFormId}
        defaultChecked={isChosen}
        disabled={isDisabled}
      />
      {name}
      <span data-unit={count === 1 && !isPartial ? ' course' : ' courses'}>
        {formatCourseCount(count, option)}
      </span>
    </label>
  )
}
