import type { CardSlots } from '~/features/catalog/course-card'
import { listDescription } from '~/features/catalog/courses-page/catalog-messages'
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
import { CoursePrice, HideOwnPrices } from '~/features/enrollment/course-price'
import { WishButton } from '~/features/enrollment/wish-button'
import { CourseRunningExam } from '~/features/exams/attempt/running-exams'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import { findOrigin, pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/all-courses'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({
      title: 'All courses',
      description: listDescription([]),
      path: '/AllCourses',
      matches,
    })
  }

  const { query, result } = loaderData
  const description = listDescription(
    result.facets.category.flatMap(({ value, name }) => (value === 'all' ? [] : (name ?? value))),
  )
  const origin = findOrigin(matches)
  const isFirst = result.previous === null
  const path = getCanonicalCatalogUrl(query, { isFirst })
  const page = (rel: string, cursor: { after: string | null; before: string | null }) => ({
    tagName: 'link',
    rel,
    href: origin + catalogUrl({ ...query, ...cursor }),
  })

  return [
    ...pageMeta({ title: getCatalogTitle(query, result.facets), description, path, matches }),
    ...(result.previous ? [page('prev', { after: null, before: result.previous })] : []),
    ...(result.next ? [page('next', { after: result.next, before: null })] : []),
    ...(isIndexable(query, { total: result.total, isFirst })
      ? []
      : [{ name: 'robots', content: 'noindex, follow' }]),
    {
      'script:ld+json': createCourseListJsonLd(
        result.courses.map(({ id }) => `${origin}/OneCourse/${id}`),
      ),
    },
  ]
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
      <HideOwnPrices />
    </>
  )
}

const slots: CardSlots = {
  corner: ({ id, title }) => (
    <>
      <CourseRunningExam courseId={id} />
      <WishButton courseId={id} title={title} />
    </>
  ),
  price: (course) => <CoursePrice course={course} />,
}
