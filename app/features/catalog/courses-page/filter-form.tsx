import { ChevronDown } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Form, useLocation, useNavigate, useNavigationType } from 'react-router'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/form/field'
import {
  type CatalogQuery,
  type CatalogResult,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
  type FacetOption,
  multiValueParameters,
} from '../search/catalog-query'
import { normalizeSearch, type Sort, sortNames } from '../search/facets'
import { SearchBox } from '../search/search-box'
import { formatCourseCount } from './catalog-messages'
import { catalogFormId, sortField } from './chosen-filters'

type FilterFormProps = {
  query: CatalogQuery
  facets: CatalogResult['facets']
  isPending: boolean
}

/**
 * The form with the search field, the category and the level. With a script, the results follow each
 * change. Without one, the form is submitted by its button.
 */
export function FilterForm({ query, facets, isPending }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { handleTyping, handleChoice, handleBlur } = useFilterForm(form, query)

  return (
    <search>
      <Form
        ref={form}
        id={catalogFormId}
        action="/AllCourses"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          handleChoice()
        }}
        className="mt-4 grid grid-cols-2 gap-x-3 gap-y-3 max-sm:[&_label]:sr-only md:mt-8 max-[22rem]:grid-cols-1 lg:grid-cols-[2fr_1fr_1fr] lg:gap-x-4"
      >
        <div className="min-[22rem]:max-lg:col-span-2">
          <label htmlFor="q" className="mb-1.5 block font-medium">
            Search courses
          </label>
          <SearchBox
            id="q"
            initialText={query.q}
            isPending={isPending}
            placeholder="Title, topic or instructor"
            onInput={handleTyping}
            onBlur={handleBlur}
          />
        </div>
        <SelectField
          id="category"
          name="category"
          label="Category"
          data-counted=""
          defaultValue={query.category}
        >
          <CountedOptions options={facets.category} />
        </SelectField>
        <SelectField
          id="level"
          name="level"
          label="Level"
          data-counted=""
          defaultValue={query.level}
        >
          <CountedOptions options={facets.level} />
        </SelectField>
        <noscript>
          {/* The value is the searched text, so that these options end with another text. */}
          {(['exact', 'mentions'] as const).map(
            (name) => query[name] && <input key={name} type="hidden" name={name} value={query.q} />,
          )}
          <Button type="submit" className="w-full">
            Search
          </Button>
        </noscript>
      </Form>
    </search>
  )
}

/**
 * The options of a select. CSS displays their counts in browsers that can style options, so that the
 * text of an option is only its name.
 */
function CountedOptions({ options }: { options: FacetOption[] }) {
  return options.map(({ value, name = value, count, isPartial }) => (
    <option key={value} value={value} data-count={formatCourseCount(count, { isPartial })}>
      {name}
    </option>
  ))
}

const sorts = Object.keys(sortNames) as Sort[]

/**
 * The order of the list, as a select or, without a script, as links. The default order has no name in
 * the form, so that the URL of the submitted form stays short.
 */
export function SortField({ query }: { query: CatalogQuery }) {
  return (
    <>
      <div className="relative min-w-0 max-sm:flex-1 [@media(scripting:none)]:hidden">
        <label htmlFor={sortField} className="sr-only">
          Sort by
        </label>
        <select
          id={sortField}
          name={query.sort === emptyCatalogQuery.sort ? undefined : sortField}
          form={catalogFormId}
          defaultValue={query.sort}
          className="block min-h-11 w-full appearance-none truncate rounded-control border border-edge bg-surface py-2 pr-9 pl-3.5 font-medium text-ink"
        >
          {Object.entries(sortNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          size={18}
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </div>
      <noscript>
        <nav aria-label="Sort by" className="flex flex-wrap items-center gap-x-4">
          {sorts.map((sort) => (
            <a key={sort} href={catalogUrl(changeQuery(query, { sort }))} className="link">
              {sortNames[sort]}
            </a>
          ))}
        </nav>
      </noscript>
    </>
  )
}

const typingPauseMs = 200

/** How the visitor changed the form. */
type FormChange = 'typing' | 'choosing'
/** The state of a history entry that the form created. */
type FormEntryState = { byFilters: FormChange }

/**
 * Updates the results as the form changes.
 *
 * The URL is the only state, and the inputs are uncontrolled. So late results never overwrite typed
 * text. Going back or following a link sets the inputs. Everything that is typed in one go makes one
 * history entry, so that one step back undoes all of it.
 *
 * @param query the query of the displayed results
 * @returns event handlers for the form
 */
function useFilterForm(form: RefObject<HTMLFormElement | null>, query: CatalogQuery) {
  const navigate = useNavigate()
  const location = useLocation()
  const entryState = location.state as Partial<FormEntryState> | null
  const requestedUrl = useRef(firstPageUrl(query))
  const typingTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTypingInOneGo = useRef(false)

  const updateResults = (change: FormChange) => {
    clearTimeout(typingTimer.current)
    if (!form.current) {
      return
    }

    const url = catalogUrl(readFilterForm(form.current, query))
    if (url === requestedUrl.current) {
      return
    }

    const isTyping = change === 'typing'
    const continuesTyping =
      isTyping && entryState?.byFilters === 'typing' && isTypingInOneGo.current
    requestedUrl.current = url
    isTypingInOneGo.current = isTyping
    navigate(url, {
      replace: continuesTyping,
      preventScrollReset: true,
      state: { byFilters: change } satisfies FormEntryState,
    })
  }
  const latestUpdateResults = useRef(updateResults)
  useEffect(() => {
    latestUpdateResults.current = updateResults
  })

  useOtherNavigation(() => {
    clearTimeout(typingTimer.current)
    isTypingInOneGo.current = false
    requestedUrl.current = firstPageUrl(query)
    if (form.current) {
      writeFilterForm(form.current, query)
    }
  })

  useEffect(() => {
    // Text may have been typed before the page was hydrated.
    latestUpdateResults.current('choosing')

    // Going back right after typing cancels the results of the typed text.
    const cancelTyping = () => clearTimeout(typingTimer.current)
    window.addEventListener('popstate', cancelTyping)

    // React reports no events of controls outside of their form.
    const handleChange = ({ target }: Event) => {
      if (isChoiceControl(target) && form.current && target.form === form.current) {
        latestUpdateResults.current('choosing')
      }
    }
    document.addEventListener('change', handleChange)

    return () => {
      cancelTyping()
      window.removeEventListener('popstate', cancelTyping)
      document.removeEventListener('change', handleChange)
    }
  }, [form])

  return {
    handleTyping() {
      clearTimeout(typingTimer.current)
      typingTimer.current = setTimeout(() => latestUpdateResults.current('typing'), typingPauseMs)
    },
    handleChoice: () => updateResults('choosing'),
    handleBlur() {
      isTypingInOneGo.current = false
    },
  }
}

function firstPageUrl(query: CatalogQuery): string {
  return catalogUrl(changeQuery(query, {}))
}

/** Returns whether the target is a control of the filters other than the search field. */
function isChoiceControl(
  target: EventTarget | null,
): target is HTMLSelectElement | HTMLInputElement {
  if (target instanceof HTMLSelectElement) {
    return true
  }

  return target instanceof HTMLInputElement && target.name !== 'q'
}

/** Calls back after each navigation that the form did not cause: back, forward or a link. */
function useOtherNavigation(onNavigation: () => void) {
  const location = useLocation()
  const navigationType = useNavigationType()
  const handledKey = useRef(location.key)

  useEffect(() => {
    if (handledKey.current === location.key) {
      return
    }

    handledKey.current = location.key
    const entryState = location.state as Partial<FormEntryState> | null
    const isCausedByForm = navigationType !== 'POP' && entryState?.byFilters !== undefined
    if (!isCausedByForm) {
      onNavigation()
    }
  })
}

/**
 * Returns the form's current values as a query for the first page. The values are not checked,
 * because they only become a URL, which the loader checks.
 *
 * @param displayedQuery the values of the fields that are not in the form
 */
function readFilterForm(form: HTMLFormElement, displayedQuery: CatalogQuery): CatalogQuery {
  const values = new FormData(form)
  const sort = form.elements.namedItem(sortField)
  const chosenOptions = Object.fromEntries([
    ...['category', 'level'].map((group) => [group, values.get(group) ?? 'all']),
    ...multiValueParameters.map((group) => [group, values.getAll(group).map(String).toSorted()]),
    [sortField, sort instanceof HTMLSelectElement ? sort.value : displayedQuery.sort],
  ]) as Partial<CatalogQuery>

  const q = normalizeSearch(String(values.get('q') ?? ''))
  const isSameText = q === displayedQuery.q
  return changeQuery(displayedQuery, isSameText ? chosenOptions : { ...chosenOptions, q })
}

function writeFilterForm(form: HTMLFormElement, query: CatalogQuery): void {
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) {
      continue
    }

    const name = control.id === sortField ? sortField : control.name
    const value = Object.hasOwn(query, name) ? query[name as keyof CatalogQuery] : null
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      control.checked = Array.isArray(value) && value.some((option) => option === control.value)
    } else if (typeof value === 'string') {
      control.value = value
    }
  }
}
