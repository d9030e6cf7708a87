import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { byCount } from '~/ui/format-count'
import type { RenderLink } from '~/ui/more-link'
import {
  type CatalogQuery,
  type CatalogResult,
  catalogPath,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
} from '../search/catalog-query'
import { catalogMessages, formatCappedCount } from './catalog-messages'

type NoCoursesProps = { query: CatalogQuery; alternatives: CatalogResult['alternatives'] }

/** The empty state of the specification, with suggestions of what to do next. */
export function NoCourses({ query, alternatives }: NoCoursesProps) {
  return (
    <EmptyState
      icon={<SearchX size={26} />}
      title={catalogMessages.noCourses.title}
      action={
        <div className="flex flex-col items-center gap-6">
          <ButtonLink to={catalogPath} variant="secondary">
            Clear filters
          </ButtonLink>
          {alternatives && <Alternatives query={query} alternatives={alternatives} />}
        </div>
      }
    >
      {catalogMessages.noCourses.text}
    </EmptyState>
  )
}

type AlternativesProps = {
  query: CatalogQuery
  alternatives: NonNullable<CatalogResult['alternatives']>
}

function Alternatives({ query, alternatives }: AlternativesProps) {
  const { without: shorterSearches, categories } = alternatives

  return (
    <>
      {shorterSearches.length > 0 && (
        <ul aria-label="Search with fewer words" className="space-y-1">
          {shorterSearches.map((search) => (
            <li key={search.q}>
              {renderShorterSearch(search, (label) => (
                <Link
                  to={catalogUrl(changeQuery(query, { q: search.q }))}
                  className="link inline-block py-1"
                >
                  {label}
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
              to={catalogUrl({ ...emptyCatalogQuery, category })}
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

/** Offers the search without one of its words. */
function renderShorterSearch(
  { q, word, count }: { q: string; word: string; count: number },
  renderLink: RenderLink,
): ReactNode {
  return (
    <>
      {renderLink(`Search for ${q}`)}{' '}
      <span className="text-muted">
        {byCount(
          count,
          `without ${word}: 1 course`,
          `without ${word}: ${formatCappedCount(count)} courses`,
        )}
      </span>
    </>
  )
}
