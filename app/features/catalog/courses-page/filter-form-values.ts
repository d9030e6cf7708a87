import { foldSearch } from '../course-filters'
import { type CatalogueQuery, changeQuery, severalOf } from '../search/catalog-query'
import { sortField } from './chosen-filters'

/**
 * What the catalogue's form says now, from the first page on. No schema checks it: it becomes an address, and whoever reads
 * that does. @param shown has what is not in the form.
 */
export function readFilterForm(form: HTMLFormElement, shown: CatalogueQuery): CatalogueQuery {
  const values = new FormData(form)
  const q = foldSearch(String(values.get('q') ?? ''))
  const sort = form.elements.namedItem(sortField)
  const choices = Object.fromEntries([
    ...['category', 'level'].map((group) => [group, values.get(group) ?? 'all']),
    ...severalOf.map((group) => [group, values.getAll(group).map(String).toSorted()]),
    [sortField, sort instanceof HTMLSelectElement ? sort.value : shown.sort],
  ]) as Partial<CatalogueQuery>
  return changeQuery(shown, q === shown.q ? choices : { ...choices, q })
}

export function writeFilterForm(form: HTMLFormElement, query: CatalogueQuery): void {
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) continue
    const name = control.id === sortField ? sortField : control.name
    const value = Object.hasOwn(query, name) ? query[name as keyof CatalogueQuery] : null
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      control.checked = Array.isArray(value) && value.some((chosen) => chosen === control.value)
    } else if (typeof value === 'string') control.value = value
  }
}
