import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import {
  type CatalogQuery,
  type CatalogResult,
  catalogUrl,
  changeQuery,
  everything,
  getOptionName,
  isNarrowed,
} from '../search/catalog-query'

/** The form's id, for its controls that stand elsewhere on the page. */
export const catalogForm = 'catalog-form'
/** The id of the select for the order, and its name unless the default order is chosen. */
export const sortField = 'sort'

/** The groups in which several options can be chosen. */
export const sheetGroups = ['rating', 'price', 'length', 'language', 'skill', 'instructor'] as const
type SheetGroup = (typeof sheetGroups)[number]

export const groupNames: Record<SheetGroup, string> = {
  rating: 'Rating',
  price: 'Price',
  length: 'Length',
  language: 'Language',
  skill: 'Skill',
  instructor: 'Instructor',
}

export function getChosenOptions(query: CatalogQuery, group: SheetGroup): readonly string[] {
  return query[group]
}

type Chip = { name: string; without: CatalogQuery }

/** The active filters of the list, each with the query without it. */
export function listChips(query: CatalogQuery, facets: CatalogResult['facets']): Chip[] {
  const single = (['category', 'level'] as const)
    .filter((group) => query[group] !== 'all')
    .map((group) => ({
      name: getOptionName(facets[group], query[group]),
      without: changeQuery(query, { [group]: 'all' }),
    }))
  const several = sheetGroups.flatMap((group) =>
    getChosenOptions(query, group).map((value) => ({
      name:
        group === 'rating'
          ? `Rated ${getOptionName(facets[group], value)}`
          : getOptionName(facets[group], value),
      without: changeQuery(query, {
        [group]: getChosenOptions(query, group).filter((other) => other !== value),
      }),
    })),
  )
  const mentions = query.mentions
    ? [{ name: 'Including mentions', without: changeQuery(query, { mentions: false }) }]
    : []

  return [...single, ...several, ...mentions]
}

/** The active filters; a press removes one. */
export function ChosenFilters({
  query,
  facets,
}: {
  query: CatalogQuery
  facets: CatalogResult['facets']
}) {
  const chips = listChips(query, facets)
  if (chips.length === 0) {
    return null
  }

  return (
    <ul aria-label="Active filters" className="mb-5 flex flex-wrap gap-2">
      {chips.map(({ name, without }) => (
        <li key={catalogUrl(without)} className="max-w-full">
          <CatalogLink
            query={without}
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

/** Beside the count; when nothing is found, the empty state has it. */
export function ClearFilters({ query, total }: { query: CatalogQuery; total: number }) {
  if (!isNarrowed(query) || total === 0) {
    return null
  }

  return (
    <CatalogLink
      query={everything}
      className="mr-auto inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
    >
      Clear filters
    </CatalogLink>
  )
}

type CatalogLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { query: CatalogQuery }

/** Changes the list without scrolling the page. */
export function CatalogLink({ query, ...rest }: CatalogLinkProps) {
  return <Link to={catalogUrl(query)} preventScrollReset {...rest} />
}
