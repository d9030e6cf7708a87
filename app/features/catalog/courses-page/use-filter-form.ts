import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import {
  type CatalogQuery,
  catalogUrl,
  changeQuery,
  multiValueParameters,
} from '../search/catalog-query'
import { normalizeSearch } from '../search/normalize-search'

/** The URL parameter of the order, and the ID of the select that `SortField` shows. */
export const sortParameter = 'sort'

/** How the visitor changed the form. */
type FormChange = 'typing' | 'choosing'
/** The state of a history entry that the form created. */
type FormEntryState = { formChange: FormChange }

const typingPauseMs = 200

/**
 * Updates the results as the form changes.
 *
 * The URL is the only state, and the inputs are uncontrolled. So late results never overwrite typed
 * text. Going back or following a link sets the inputs. Text that is typed without an interruption
 * makes one history entry, so that one step back undoes all of it.
 *
 * @param query the query of the displayed results
 * @returns event handlers for the form
 */
export function useFilterForm(form: RefObject<HTMLFormElement | null>, query: CatalogQuery) {
  const navigate = useNavigate()
  const location = useLocation()
  const entryState = location.state as Partial<FormEntryState> | null
  const requestedUrl = useRef(firstPageUrl(query))
  const typingTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Whether the visitor has only typed since the latest history entry was created. */
  const isTypingUninterrupted = useRef(false)

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
      isTyping && entryState?.formChange === 'typing' && isTypingUninterrupted.current
    requestedUrl.current = url
    isTypingUninterrupted.current = isTyping
    navigate(url, {
      replace: continuesTyping,
      preventScrollReset: true,
      state: { formChange: change } satisfies FormEntryState,
    })
  }

  // Timers and listeners outlive a rendering, so they call the latest function through this ref.
  const latestUpdateResults = useRef(updateResults)
  useEffect(() => {
    latestUpdateResults.current = updateResults
  })

  useNavigationFromOutside(() => {
    clearTimeout(typingTimer.current)
    isTypingUninterrupted.current = false
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
      isTypingUninterrupted.current = false
    },
  }
}

/** Returns the URL of the first page of a list, from which the form starts. */
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
function useNavigationFromOutside(onNavigation: () => void) {
  const location = useLocation()
  const navigationType = useNavigationType()
  const handledKey = useRef(location.key)

  useEffect(() => {
    if (handledKey.current === location.key) {
      return
    }

    handledKey.current = location.key
    const entryState = location.state as Partial<FormEntryState> | null
    const isCausedByForm = navigationType !== 'POP' && entryState?.formChange !== undefined
    if (!isCausedByForm) {
      onNavigation()
    }
  })
}

/**
 * Returns the form's current values as a query for the first page. The values are not checked,
 * because they only become a URL, which the loader checks.
 *
 * @param displayedQuery the query of the displayed results, for values that have no field
 */
function readFilterForm(form: HTMLFormElement, displayedQuery: CatalogQuery): CatalogQuery {
  const values = new FormData(form)
  const singleChoices = ['category', 'level'].map((group) => [group, values.get(group) ?? 'all'])
  const multipleChoices = multiValueParameters.map((group) => [
    group,
    values.getAll(group).map(String).toSorted(),
  ])

  // The select has no name for the default order, so `FormData` may leave it out.
  const sortSelect = form.elements.namedItem(sortParameter)
  const sort = sortSelect instanceof HTMLSelectElement ? sortSelect.value : displayedQuery.sort

  const chosenOptions = Object.fromEntries([
    ...singleChoices,
    ...multipleChoices,
    [sortParameter, sort],
  ]) as Partial<CatalogQuery>

  const q = normalizeSearch(String(values.get('q') ?? ''))
  const isSameText = q === displayedQuery.q
  return changeQuery(displayedQuery, isSameText ? chosenOptions : { ...chosenOptions, q })
}

/** Sets the form's controls to the values of a query. */
function writeFilterForm(form: HTMLFormElement, query: CatalogQuery): void {
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) {
      continue
    }

    const name = control.id === sortParameter ? sortParameter : control.name
    const value = Object.hasOwn(query, name) ? query[name as keyof CatalogQuery] : null
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      control.checked = Array.isArray(value) && value.some((option) => option === control.value)
    } else if (typeof value === 'string') {
      control.value = value
    }
  }
}
