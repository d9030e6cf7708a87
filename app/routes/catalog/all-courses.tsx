/**
 * /AllCourses: the catalog with its search and filters. The page is the same for everyone, so that it
 * can be cached. What depends on the viewer, such as wishes, is filled in in the browser.
 */
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { type CardSlots, CourseCard } from '~/features/catalog/course-card'
import {
  catalogMessages,
  formatCourseCount,
  formatListProgress,
  formatResultSummary,
} from '~/features/catalog/courses-page/catalog-messages'
import {
  CatalogLink,
  ChosenFilters,
  ClearFilters,
} from '~/features/catalog/courses-page/chosen-filters'
import { FilterForm } from '~/features/catalog/courses-page/filter-form'
import { FilterButton, FilterSheet } from '~/features/catalog/courses-page/filter-sheet'
import { SortField } from '~/features/catalog/courses-page/sort-field'
import {
  getCanonicalCatalogUrl,
  getCatalogTitle,
  isIndexable,
} from '~/features/catalog/search/canonical-catalog'
import {
  type CatalogCourse,
  type CatalogQuery,
  type CatalogResult,
  type CatalogSlice,
  catalogPath,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
  maxCountedCourses,
  moreCoursesUrl,
} from '~/features/catalog/search/catalog-query'
import { parseCatalogQuery } from '~/features/catalog/search/catalog-query-schema'
import { searchCatalog } from '~/features/catalog/search/search-catalog.server'
import { createCourseListJsonLd } from '~/features/catalog/sharing/structured-course'
import { CoursePrice, HidePricesOfOwnCourses } from '~/features/enrollment/course-price'
import { WishButton } from '~/features/enrollment/wish-button'
import { RunningExamButton } from '~/features/exams/attempt/running-exams'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import { ButtonLink } from '~/ui/button'
import { fetchJson } from '~/ui/connection'
import { EmptyState } from '~/ui/empty-state'
import { byCount } from '~/ui/format-count'
import { useFocusOnChange } from '~/ui/hooks'
import type { Linked } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { findOrigin, pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/all-courses'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({
      title: 'All courses',
      description: describeCatalog([]),
      path: '/AllCourses',
      matches,
    })
  }

  const { query, result } = loaderData
  const { facets, total, previousCursor, nextCursor, courses } = result
  const origin = findOrigin(matches)
  const isFirstPage = previousCursor === null
  const categoryNames = facets.category
    .filter(({ value }) => value !== 'all')
    .map(({ value, name }) => name ?? value)

  const descriptors: Route.MetaDescriptors = [
    ...pageMeta({
      title: getCatalogTitle(query, facets),
      description: describeCatalog(categoryNames),
      path: getCanonicalCatalogUrl(query, { isFirstPage }),
      matches,
    }),
  ]

  if (previousCursor !== null) {
    const url = catalogUrl({ ...query, after: null, before: previousCursor })
    descriptors.push({ tagName: 'link', rel: 'prev', href: origin + url })
  }

  if (nextCursor !== null) {
    const url = catalogUrl({ ...query, after: nextCursor, before: null })
    descriptors.push({ tagName: 'link', rel: 'next', href: origin + url })
  }

  if (!isIndexable(query, { total, isFirstPage })) {
    descriptors.push({ name: 'robots', content: 'noindex, follow' })
  }

  const courseUrls = courses.map(({ id }) => `${origin}/OneCourse/${id}`)
  descriptors.push({ 'script:ld+json': createCourseListJsonLd(courseUrls) })

  return descriptors
}

export function headers() {
  return publicPageHeaders()
}

export async function loader({ url }: Route.LoaderArgs) {
  const query = parseCatalogQuery(url.searchParams)
  const result = await readPublic((db) => searchCatalog(db, query))
  // The school may not have the category of the URL. The page then shows all courses.
  const displayedQuery = { ...query, category: result.category }

  return { query: displayedQuery, result }
}

export default function AllCoursesRoute({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <CatalogPage {...loaderData} slots={slots} />
      <HidePricesOfOwnCourses />
    </>
  )
}

const slots: CardSlots = {
  coverButtons: ({ id, title }) => (
    <>
      <RunningExamButton courseId={id} />
      <WishButton courseId={id} title={title} />
    </>
  ),
  price: (course) => <CoursePrice course={course} />,
}

type CatalogPageProps = {
  query: CatalogQuery
  result: CatalogResult
  slots: CardSlots
}

function CatalogPage({ query, result, slots }: CatalogPageProps) {
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
  const { correction, hiddenMentionCount, hasOnlyMentions } = result
  if (!correction && hiddenMentionCount === 0 && !hasOnlyMentions) {
    return null
  }

  return (
    <div className="mb-5 space-y-1 text-muted">
      {correction && (
        <p>
          {renderCorrection(correction.from, correction.to, (label) => (
            <CatalogLink query={changeQuery(query, { exact: true })} className="link">
              {label}
            </CatalogLink>
          ))}
        </p>
      )}
      {hiddenMentionCount > 0 && (
        <p>
          {renderMoreMentions(hiddenMentionCount, (label) => (
            <CatalogLink query={changeQuery(query, { mentions: true })} className="link">
              {label}
            </CatalogLink>
          ))}
        </p>
      )}
      {hasOnlyMentions && !query.mentions && <p>{catalogMessages.foundInMentions}</p>}
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

type PageLinksProps = { query: CatalogQuery; result: CatalogResult; pages: MorePages }

/**
 * Links to the previous and the next page. With a script, the courses of the next page are added to
 * this page instead.
 */
function PageLinks({ query, result, pages }: PageLinksProps) {
  const { previousCursor } = result
  const { next, courses, status, showMore } = pages
  if (next === null && previousCursor === null) {
    return null
  }

  const handleClick = (event: MouseEvent) => {
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    const isPlainClick = event.button === 0 && !hasModifier
    if (!isPlainClick) {
      return
    }

    event.preventDefault()
    showMore()
  }

  return (
    <nav aria-label="Pages" className="mt-10 flex flex-col items-center gap-4">
      <div className="flex flex-wrap justify-center gap-3">
        {previousCursor !== null && (
          <ButtonLink
            to={catalogUrl({ ...query, after: null, before: previousCursor })}
            rel="prev"
            variant="secondary"
          >
            Previous page
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink
            to={catalogUrl({ ...query, before: null, after: next })}
            rel="next"
            variant="secondary"
            aria-busy={status === 'loading'}
            onClick={handleClick}
          >
            {status === 'loading' ? 'Loading...' : 'Show more'}
          </ButtonLink>
        )}
      </div>
      {status === 'failed' && <Notice variant="bad">{catalogMessages.moreCoursesFailed}</Notice>}
      {previousCursor === null && (
        <p className="text-sm text-muted">{formatListProgress(courses.length, result)}</p>
      )}
    </nav>
  )
}

type LoadingStatus = 'idle' | 'loading' | 'failed'

type MorePages = CatalogSlice & {
  status: LoadingStatus
  showMore(): void
}

/**
 * The added courses by history entry, so that going back restores the list. They last until the tab
 * is closed.
 */
const addedCourses = new Map<string, CatalogSlice>()

type Loading = {
  historyEntry: string
  status: LoadingStatus
  firstAddedId?: string | undefined
}

/**
 * Returns the courses of this page together with those that were added to it. The focus moves to the
 * first course that was added.
 */
function useMorePages(query: CatalogQuery, result: CatalogResult): MorePages {
  const { key } = useLocation()
  const historyEntry = `${key} ${catalogUrl(query)} ${result.nextCursor}`
  const added = addedCourses.get(historyEntry) ?? { courses: [], next: result.nextCursor }
  const courses = [...result.courses, ...added.courses]

  const [latestLoading, setLatestLoading] = useState<Loading>()
  const loading = latestLoading?.historyEntry === historyEntry ? latestLoading : null
  const status = loading?.status ?? 'idle'
  useFocusOnCourse(loading?.firstAddedId)

  const showMore = async () => {
    if (added.next === null || status === 'loading') {
      return
    }

    setLatestLoading({ historyEntry, status: 'loading' })
    const url = moreCoursesUrl({ ...query, before: null, after: added.next })
    const slice = await fetchJson<CatalogSlice>(url)

    // A course may have moved in the list since this page was loaded.
    const displayedIds = new Set(courses.map(({ id }) => id))
    const newCourses = slice?.courses.filter(({ id }) => !displayedIds.has(id)) ?? []
    if (slice) {
      addedCourses.set(historyEntry, {
        courses: [...added.courses, ...newCourses],
        next: slice.next,
      })
    }

    setLatestLoading((current) =>
      current?.historyEntry === historyEntry
        ? { historyEntry, status: slice ? 'idle' : 'failed', firstAddedId: newCourses[0]?.id }
        : current,
    )
  }

  return { courses, next: added.next, status, showMore }
}

function useFocusOnCourse(courseId: string | undefined) {
  useEffect(() => {
    if (!courseId) {
      return
    }

    const link = document.querySelector<HTMLElement>(
      `main a[href="/OneCourse/${CSS.escape(courseId)}"]`,
    )
    link?.focus({ preventScroll: true })
  }, [courseId])
}

/** The description for search engines has room for this many categories in about 160 characters. */
const maxDescribedCategories = 6

const nameList = new Intl.ListFormat('en-GB')

function describeCatalog(categoryNames: readonly string[]): string {
  const describedNames = categoryNames.slice(0, maxDescribedCategories)
  const categories = nameList.format(describedNames)
  return categories
    ? `Courses in ${categories}, for beginners and for professionals.`
    : 'Courses for beginners and for professionals.'
}

/** Offers the search without one of its words. */
function renderShorterSearch(
  { q, word, count }: { q: string; word: string; count: number },
  link: Linked,
): ReactNode {
  return (
    <>
      {link(`Search for ${q}`)}{' '}
      <span className="text-muted">
        {byCount(
          count,
          `without ${word}: 1 course`,
          `without ${word}: ${formatLimitedCount(count)} courses`,
        )}
      </span>
    </>
  )
}

function renderCorrection(from: string, to: string, link: Linked): ReactNode {
  return (
    <>
      Showing results for <strong className="text-ink">{to}</strong>. Search for {link(from)}{' '}
      instead.
    </>
  )
}

/** Offers the courses that only mention the searched text. */
function renderMoreMentions(count: number, link: Linked): ReactNode {
  if (count === 1) {
    return <>{link('1 more course mentions it')} in its skills, lessons or subtitles.</>
  }

  return (
    <>
      {link(`${formatLimitedCount(count)} more courses mention it`)} in their skills, lessons or
      subtitles.
    </>
  )
}

/** Above `maxCountedCourses`, the exact number is unknown. */
function formatLimitedCount(count: number): string {
  return formatCourseCount(Math.min(count, maxCountedCourses), {
    isPartial: count > maxCountedCourses,
  })
}
