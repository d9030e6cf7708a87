import { ChevronDown } from 'lucide-react'
import {
  type CatalogQuery,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
} from '../search/catalog-query'
import { type Sort, sortNames } from '../search/facets'
import { catalogFormId } from './filter-form'
import { sortParameter } from './use-filter-form'

const sorts = Object.keys(sortNames) as Sort[]

/**
 * The order of the list. With JavaScript, it is a select, whose changes `useFilterForm` applies.
 * Without JavaScript, it is a list of links.
 */
export function SortField({ query }: { query: CatalogQuery }) {
  return (
    <>
      <div className="relative min-w-0 max-sm:flex-1 [@media(scripting:none)]:hidden">
        <label htmlFor={sortParameter} className="sr-only">
          Sort by
        </label>
        <select
          id={sortParameter}
          // Without JavaScript, the form submits the hidden select. Leaving the default order out
          // keeps the URL short.
          name={query.sort === emptyCatalogQuery.sort ? undefined : sortParameter}
          form={catalogFormId}
          defaultValue={query.sort}
          className="block min-h-11 w-full appearance-none truncate rounded-control border border-edge bg-surface py-2 pr-9 pl-3.5 font-medium text-ink"
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortNames[sort]}
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
