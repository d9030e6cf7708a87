import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import {
  type CatalogQuery,
  catalogUrl,
  changeQuery,
  multiValueParameters,
} from '../search/catalog-query'
import { normalizeSearch } from '../search/facets'
import { sortField } from './chosen-filters'

const typingPauseMs = 200

/** State of a history entry that the form itself made. */
type FormEntry = { byFilters: 'typing' | 'choosing' }

/**
 * Updates the results as the form changes. The address is the state and the inputs are
 * uncontrolled: late results never overwrite typed text, and going back or following a link sets
 * the inputs. One step back undoes everything that was typed in one go.
 *
 * @param query of the results that are shown.
 * @returns handlers for the form that `form` refers to.
 */
export function useFilterForm(form: RefObject<HTMLFormElement | null>, query: CatalogQuery) {
  const navigate = useNavigate()
  const location = useLocation()
  const made = (location.state as Partial<FormEntry> | null)?.byFilters
  const asked = useRef(firstPageOf(query))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const inOneGo = useRef(false)

  const show = (byFilters: FormEntry['byFilters']) => {
    clearTimeout(timer.current)
    if (!form.current) {
      return
    }

    const wanted = catalogUrl(readFilterForm(form.current, query))
    if (wanted === asked.current) {
      return
    }

    asked.current = wanted
    const replace = byFilters === 'typing' && made === 'typing' && inOneGo.current
    inOneGo.current = byFilters === 'typing'
    navigate(wanted, {
      replace,
      preventScrollReset: true,
      state: { byFilters } satisfies FormEntry,
    })
  }
  const latestShow = useRef(show)
  useEffect(() => {
    latestShow.current = show
  })

  useFollowAddress(() => {
    clearTimeout(timer.current)
    inOneGo.current = false
    asked.current = firstPageOf(query)
    if (form.current) {
      writeFilterForm(form.current, query)
    }
  })

  useEffect(() => {
    // Text may have been typed before the page was hydrated.
    latestShow.current('choosing')
    // Going back right after typing cancels the results of the typed text.
    const forget = () => clearTimeout(timer.current)
    window.addEventListener('popstate', forget)
    // React reports no events of controls outside of their form.
    const choose = ({ target }: Event) => {
      const chosen =
        target instanceof HTMLSelectElement ||
        (target instanceof HTMLInputElement && target.name !== 'q')
      if (chosen && form.current && target.form === form.current) {
        latestShow.current('choosing')
      }
    }

    document.addEventListener('change', choose)

    return () => {
      forget()
      window.removeEventListener('popstate', forget)
      document.removeEventListener('change', choose)
    }
  }, [form])

  return {
    onType() {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => latestShow.current('typing'), typingPauseMs)
    },
    onChoose: () => show('choosing'),
    onLeave() {
      inOneGo.current = false
    },
  }
}

function firstPageOf(query: CatalogQuery): string {
  return catalogUrl(changeQuery(query, {}))
}

/** Calls back for each new address that the form did not ask for: back, forward or a link. */
function useFollowAddress(follow: () => void) {
  const location = useLocation()
  const type = useNavigationType()
  const seen = useRef(location.key)
  useEffect(() => {
    if (seen.current === location.key) {
      return
    }

    seen.current = location.key
    const byForm =
      type !== 'POP' && (location.state as Partial<FormEntry> | null)?.byFilters !== undefined
    if (!byForm) {
      follow()
    }
  })
}

/**
 * The form's current values as a query for the first page. It becomes an address, which the loader
 * checks.
 *
 * @param shown has the fields that are not in the form.
 */
function readFilterForm(form: HTMLFormElement, shown: CatalogQuery): CatalogQuery {
  const values = new FormData(form)
  const q = normalizeSearch(String(values.get('q') ?? ''))
  const sort = form.elements.namedItem(sortField)
  const choices = Object.fromEntries([
    ...['category', 'level'].map((group) => [group, values.get(group) ?? 'all']),
    ...multiValueParameters.map((group) => [group, values.getAll(group).map(String).toSorted()]),
    [sortField, sort instanceof HTMLSelectElement ? sort.value : shown.sort],
  ]) as Partial<CatalogQuery>

  return changeQuery(shown, q === shown.q ? choices : { ...choices, q })
}

function writeFilterForm(form: HTMLFormElement, query: CatalogQuery): void {
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) {
      continue
    }

    const name = control.id === sortField ? sortField : control.name
    const value = Object.hasOwn(query, name) ? query[name as keyof CatalogQuery] : null
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      control.checked = Array.isArray(value) && value.some((chosen) => chosen === control.value)
    } else if (typeof value === 'string') {
      control.value = value
    }
  }
}
