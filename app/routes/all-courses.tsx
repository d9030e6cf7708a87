import { CataloguePage } from '~/features/catalogue/catalogue-page'
import { parseCourseFilters } from '~/features/catalogue/course-filters'
import { listCatalogueCourses } from '~/features/catalogue/course-queries.server'
import { db } from '~/server/database/client.server'
import { publicPage } from '~/server/page-cache.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/all-courses'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: 'All courses',
    description:
      'Courses in technology, design, business, marketing and photography, for beginners and for professionals.',
    path: '/AllCourses',
    matches,
  })
}

export function headers() {
  return publicPage()
}

export async function loader({ request }: Route.LoaderArgs) {
  const filters = parseCourseFilters(new URL(request.url).searchParams)
  return { filters, courses: await listCatalogueCourses(db, filters) }
}

export default function AllCoursesRoute({ loaderData }: Route.ComponentProps) {
  return <CataloguePage {...loaderData} />
}
