/**
 * /AllCourses: the catalog with its search and filters. The page is the same for everyone, so that
 * it can be cached. What depends on the viewer, such as wishes, is filled in in the browser.
 */
import { useRef } from 'react'
import { useNavigation } from 'react-router'
import { type CardSlots, CourseCard } from '~/features/catalog/course-card'
import { formatResultSummary } from '~/features/catalog/courses-page/catalog-messages'
import { ChosenFilters, ClearFilters } from '~/features/catalog/courses-page/chosen-filters'
import { FilterForm } from '~/features/catalog/courses-page/filter-form'
import { FilterButton, FilterSheet } from '~/features/catalog/courses-page/filter-sheet'
import { NoCourses } from '~/features/catalog/courses-page/no-courses'
import { PageLinks } from '~/features/catalog/courses-page/page-links'
import { SearchNotes } from '~/features/catalog/courses-page/search-notes'
import { SortField } from '~/features/catalog/courses-page/sort-field'
import { useMoreCourses } from '~/features/catalog/courses-page/use-more-courses'
import {
  getCanonicalCatalogUrl,
  getCatalogTitle,
  isIndexable,
} from '~/features/catalog/search/canonical-catalog'
import {
  type CatalogCourse,
  type CatalogQuery,
  type CatalogResult,
  catalogPath,
  catalogUrl,
} from '~/features/catalog/search/catalog-query'
import { parseCatalogQuery } from '~/features/catalog/search/catalog-query-schema'
import { searchCatalog } from '~/features/catalog/search/search-catalog.server'
import { createCourseListJsonLd } from '~/features/catalog/sharing/structured-course'
import { CoursePrice, HidePricesOfEnrolledCourses } from '~/features/enrollment/course-price'
import { WishButton } from '~/features/enrollment/wish-button'
import { RunningExamButton } from '~/features/exams/attempt/running-exams'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import { isSamePage } from '~/ui/compare-paths'
import { useFocusOnChange } from '~/ui/hooks'
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
      <CatalogPage {...loaderData} cardSlots={cardSlots} />
      <HidePricesOfEnrolledCourses />
    </>
  )
}

/** The parts of a card that depend on the viewer. */
const cardSlots: CardSlots = {
  coverButtons: ({ id, title }) => (
    <>
      <RunningExamButton courseId={id} />
      <WishButton courseId={id} courseTitle={title} />
    </>
  ),
  price: (course) => <CoursePrice course={course} />,
}

type CatalogPageProps = {
  query: CatalogQuery
  result: CatalogResult
  cardSlots: CardSlots
}

function CatalogPage({ query, result, cardSlots }: CatalogPageProps) {
  const { location } = useNavigation()
  const isPending = location !== undefined && isSamePage(location.pathname, catalogPath)
  const courseList = useMoreCourses(query, result)
  const summaryRef = useRef<HTMLParagraphElement>(null)
  // The link that removes a filter disappears with the filter, so it can't keep the focus.
  useFocusOnChange(catalogUrl(query), summaryRef, { onlyIfLost: true, preventScroll: true })

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
            <p ref={summaryRef} role="status" tabIndex={-1} className="font-semibold outline-none">
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
            {courseList.courses.length > 0 ? (
              <CourseGrid courses={courseList.courses} cardSlots={cardSlots} />
            ) : (
              <NoCourses query={query} alternatives={result.alternatives} />
            )}
          </div>
          <PageLinks query={query} result={result} list={courseList} />
        </div>
      </div>
    </div>
  )
}

type CourseGridProps = { courses: CatalogCourse[]; cardSlots: CardSlots }

function CourseGrid({ courses, cardSlots }: CourseGridProps) {
  return (
    <ul className="grid grid-cols-1 gap-6 sm:grid-cols-2 xl:grid-cols-3">
      {courses.map((course, index) => (
        <li key={course.id}>
          <CourseCard course={course} index={index} slots={cardSlots} />
        </li>
      ))}
    </ul>
  )
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
