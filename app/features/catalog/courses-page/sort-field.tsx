import { ChevronDown } from 'lucide-react'
import {
  type CatalogQuery,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
} from '../search/catalog-query'
import { type Sort, sortNames } from '../search/facets'
import { catalogFormId, sortField } from './chosen-filters'

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
