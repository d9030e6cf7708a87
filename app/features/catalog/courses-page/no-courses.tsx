import { SearchX } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import {
  addressOfQuery,
  type CatalogQuery,
  catalogAddress,
  changeQuery,
  everything,
} from '../search/catalog-query'
import type { CatalogResult } from '../search/catalog-result'
import { noCourses, searchWithout } from './catalog-messages'

/** The specification's empty state, and alternatives. */
export function NoCourses({
  query,
  alternatives,
}: {
  query: CatalogQuery
  alternatives: CatalogResult['alternatives']
}) {
  return (
    <EmptyState
      icon={<SearchX size={26} />}
      title={noCourses.title}
      action={
        <div className="flex flex-col items-center gap-6">
          <ButtonLink to={catalogAddress} variant="secondary">
            Clear filters
          </ButtonLink>
          {alternatives && <Alternatives query={query} alternatives={alternatives} />}
        </div>
      }
    >
      {noCourses.text}
    </EmptyState>
  )
}

type AlternativesProps = {
  query: CatalogQuery
  alternatives: NonNullable<CatalogResult['alternatives']>
}

function Alternatives({ query, alternatives: { without, categories } }: AlternativesProps) {
  return (
    <>
      {without.length > 0 && (
        <ul aria-label="Search with fewer words" className="space-y-1">
          {without.map(({ word, q, count }) => (
            <li key={q}>
              {searchWithout(q, word, count, (words) => (
                <Link
                  to={addressOfQuery(changeQuery(query, { q }))}
                  className="link inline-block py-1"
                >
                  {words}
                </Link>
              ))}
            </li>
          ))}
        </ul>
      )}
      {categories.length > 0 && (
        <p className="flex flex-wrap justify-center gap-x-4 gap-y-1 text-muted">
          Browse
          {categories.map(({ category, name }) => (
            <Link
              key={category}
              to={addressOfQuery({ ...everything, category })}
              className="link inline-block"
            >
              {name}
            </Link>
          ))}
        </p>
      )}
    </>
  )
}
