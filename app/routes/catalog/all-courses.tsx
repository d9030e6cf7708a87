import type { CardSlots } from '~/features/catalog/course-card'
import { describeCatalog } from '~/features/catalog/courses-page/catalog-messages'
import { CatalogPage } from '~/features/catalog/courses-page/catalog-page'
import {
  getCanonicalCatalogUrl,
  getCatalogTitle,
  isIndexable,
} from '~/features/catalog/search/canonical-catalog'
import { catalogUrl } from '~/features/catalog/search/catalog-query'
import { parseCatalogQuery } from '~/features/catalog/search/catalog-query-schema'
import { findCatalog } from '~/features/catalog/search/search-catalog.server'
import { createCourseListJsonLd } from '~/features/catalog/sharing/structured-course'
import { CoursePrice, HidePricesOfOwnedCourses } from '~/features/enrollment/course-price'
import { WishButton } from '~/features/enrollment/wish-button'
import { RunningExamButton } from '~/features/exams/attempt/running-exams'
import { publicPage } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import { findOrigin, pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/all-courses'

/** /AllCourses: the catalog with its search and filters. It is the same for everyone. */
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
  const { facets, total, previous, next, courses } = result
  const origin = findOrigin(matches)
  const isFirst = previous === null
  const categoryNames = facets.category
    .filter(({ value }) => value !== 'all')
    .map(({ value, name }) => name ?? value)

  const descriptors: Route.MetaDescriptors = [
    ...pageMeta({
      title: getCatalogTitle(query, facets),
      description: describeCatalog(categoryNames),
      path: getCanonicalCatalogUrl(query, { isFirst }),
      matches,
    }),
  ]

  if (previous !== null) {
    const url = catalogUrl({ ...query, after: null, before: previous })
    descriptors.push({ tagName: 'link', rel: 'prev', href: origin + url })
  }

  if (next !== null) {
    const url = catalogUrl({ ...query, after: next, before: null })
    descriptors.push({ tagName: 'link', rel: 'next', href: origin + url })
  }

  if (!isIndexable(query, { total, isFirst })) {
    descriptors.push({ name: 'robots', content: 'noindex, follow' })
  }

  const courseUrls = courses.map(({ id }) => `${origin}/OneCourse/${id}`)
  descriptors.push({ 'script:ld+json': createCourseListJsonLd(courseUrls) })

  return descriptors
}

export function headers() {
  return publicPage()
}

export async function loader({ url }: Route.LoaderArgs) {
  const query = parseCatalogQuery(url.searchParams)
  const result = await readPublic((db) => findCatalog(db, query))
  return { query: { ...query, category: result.category }, result }
}

export default function AllCoursesRoute({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <CatalogPage {...loaderData} slots={slots} />
      <HidePricesOfOwnedCourses />
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
