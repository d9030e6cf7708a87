import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import {
  type CatalogQuery,
  type CatalogResult,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
  getOptionName,
  isNarrowed,
} from '../search/catalog-query'

/** The groups in which several options can be chosen, in the order of the page. */
export const multipleChoiceGroups = [
  'rating',
  'price',
  'length',
  'language',
  'skill',
  'instructor',
] as const

/** An active filter, and the query that is left if a visitor removes the filter. */
type FilterChip = { name: string; remainingQuery: CatalogQuery }

/** Returns a chip for each active filter of the list. */
export function listFilterChips(
  query: CatalogQuery,
  facets: CatalogResult['facets'],
): FilterChip[] {
  const singleChoiceChips = (['category', 'level'] as const)
    .filter((group) => query[group] !== 'all')
    .map((group) => ({
      name: getOptionName(facets[group], query[group]),
      remainingQuery: changeQuery(query, { [group]: 'all' }),
    }))

  const multipleChoiceChips = multipleChoiceGroups.flatMap((group) => {
    const chosenOptions: readonly string[] = query[group]
    return chosenOptions.map((option) => {
      const optionName = getOptionName(facets[group], option)
      const otherOptions = chosenOptions.filter((other) => other !== option)
      return {
        name: group === 'rating' ? `Rated ${optionName}` : optionName,
        remainingQuery: changeQuery(query, { [group]: otherOptions }),
      }
    })
  })

  const chips: FilterChip[] = [...singleChoiceChips, ...multipleChoiceChips]
  if (query.mentions) {
    chips.push({
      name: 'Including mentions',
      remainingQuery: changeQuery(query, { mentions: false }),
    })
  }

  return chips
}

/** The active filters as links that remove them. */
export function ChosenFilters({
  query,
  facets,
}: {
  query: CatalogQuery
  facets: CatalogResult['facets']
}) {
  const chips = listFilterChips(query, facets)
  if (chips.length === 0) {
    return null
  }

  return (
    <ul aria-label="Active filters" className="mb-5 flex flex-wrap gap-2">
      {chips.map(({ name, remainingQuery }) => (
        <li key={catalogUrl(remainingQuery)} className="max-w-full">
          <CatalogLink
            query={remainingQuery}
            className="inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-full border border-line bg-accent-soft py-1 pr-2.5 pl-3.5 font-medium text-[0.9375rem] text-accent-strong leading-tight hover:border-accent"
          >
            <span className="sr-only">Remove </span>
            <span className="min-w-0">{name}</span>
            <X aria-hidden="true" size={15} className="shrink-0" />
          </CatalogLink>
        </li>
      ))}
    </ul>
  )
}

/**
 * A link to the whole catalog, which also removes the search. An empty list has no such link here,
 * because `NoCourses` has one.
 */
export function ClearFilters({ query, total }: { query: CatalogQuery; total: number }) {
  if (!isNarrowed(query) || total === 0) {
    return null
  }

  return (
    <CatalogLink
      query={emptyCatalogQuery}
      className="mr-auto inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
    >
      Clear filters
    </CatalogLink>
  )
}

type CatalogLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { query: CatalogQuery }

/** A link that changes the list without scrolling the page. */
export function CatalogLink({ query, ...rest }: CatalogLinkProps) {
  return <Link to={catalogUrl(query)} preventScrollReset {...rest} />
}
