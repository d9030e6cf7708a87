import { SearchX } from 'lucide-react'
import { useRef } from 'react'
import { Link, useNavigation } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { type CardSlots, CourseCard } from '../course-card'
import {
  type CatalogCourse,
  type CatalogQuery,
  type CatalogResult,
  catalogPath,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
} from '../search/catalog-query'
import {
  formatResultSummary,
  foundInMentions,
  noCourses,
  renderCorrection,
  renderMoreMentions,
  renderShorterSearch,
} from './catalog-messages'
import { CatalogLink, ChosenFilters, ClearFilters } from './chosen-filters'
import { FilterForm, SortField } from './filter-form'
import { FilterButton, FilterSheet } from './filter-sheet'
import { PageLinks, useMorePages } from './page-links'

type CatalogPageProps = {
  query: CatalogQuery
  result: CatalogResult
  slots: CardSlots
}

export function CatalogPage({ query, result, slots }: CatalogPageProps) {
  const { location } = useNavigation()
  const isPending = location?.pathname === catalogPath
  const pages = useMorePages(query, result)
  const summary = useRef<HTMLParagraphElement>(null)
  // The link that removes a filter disappears with the filter, so it can't keep the focus.
  useFocusOnChange(catalogUrl(query), summary, { onlyIfLost: true, preventScroll: true })

  return (
    <div className="column pt-5 md:pt-12">
      <h1 className="title">All courses</h1>
      <p className="mt-3 max-w-2xl text-lg text-muted max-md:hidden">
        Structured courses, from the first lesson to the final exam. Find the one that fits where
        you are now.
      </p>
      <FilterForm query={query} facets={result.facets} isPending={isPending} />
      <div className="mt-4 lg:mt-8 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-10">
        <FilterSheet query={query} result={result} />
        <div>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 sm:min-h-11 md:mb-5">
            <p ref={summary} role="status" tabIndex={-1} className="font-semibold outline-none">
              {formatResultSummary(result)}
            </p>
            <ClearFilters query={query} total={result.total} />
            <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
              <FilterButton query={query} />
              <SortField query={query} />
            </div>
          </div>
          <ChosenFilters query={query} facets={result.facets} />
          <SearchNotes query={query} result={result} />
          <div
            aria-busy={isPending}
            className={`transition-opacity duration-150 ${isPending ? 'opacity-60' : ''}`}
          >
            {pages.courses.length > 0 ? (
              <CourseGrid courses={pages.courses} slots={slots} />
            ) : (
              <NoCourses query={query} alternatives={result.alternatives} />
            )}
          </div>
          <PageLinks query={query} result={result} pages={pages} />
        </div>
      </div>
    </div>
  )
}

function CourseGrid({ courses, slots }: { courses: CatalogCourse[]; slots: CardSlots }) {
  return (
    <ul className="grid grid-cols-1 gap-6 sm:grid-cols-2 xl:grid-cols-3">
      {courses.map((course, index) => (
        <li key={course.id}>
          <CourseCard course={course} index={index} slots={slots} />
        </li>
      ))}
    </ul>
  )
}

/** Says how the search was corrected, and whether courses only mention the searched text. */
function SearchNotes({ query, result }: { query: CatalogQuery; result: CatalogResult }) {
  const { corrected, matches, showsMentions, total } = result
  const hiddenMentions = showsMentions ? 0 : matches.mention
  const hasOnlyMentions = showsMentions && matches.exact === 0 && total > 0
  if (!corrected && hiddenMentions === 0 && !hasOnlyMentions) {
    return null
  }

  return (
    <div className="mb-5 space-y-1 text-muted">
      {corrected && (
        <p>
          {renderCorrection(corrected.from, corrected.to, (label) => (
            <CatalogLink query={changeQuery(query, { exact: true })} className="link">
              {label}
            </CatalogLink>
          ))}
        </p>
      )}
      {hiddenMentions > 0 && (
        <p>
          {renderMoreMentions(hiddenMentions, (label) => (
            <CatalogLink query={changeQuery(query, { mentions: true })} className="link">
              {label}
            </CatalogLink>
          ))}
        </p>
      )}
      {hasOnlyMentions && !query.mentions && <p>{foundInMentions}</p>}
    </div>
  )
}

/** The empty state of the specification, with suggestions of what to do next. */
function NoCourses({
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
          <ButtonLink to={catalogPath} variant="secondary">
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
