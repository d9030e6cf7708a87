import { CataloguePage } from '~/features/catalogue/catalogue-page'
import { parseCatalogueQuery } from '~/features/catalogue/search/catalogue-query-schema'
import { findCatalogue } from '~/features/catalogue/search/search-catalogue.server'
import { WishButton } from '~/features/learning/enrollment/wish-button'
import { db } from '~/server/database/client.server'
import { publicPage } from '~/server/page-cache.server'
import { pageMeta } from '~/ui/page-meta'
import { useWishes } from '~/viewer'
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
  const query = parseCatalogueQuery(new URL(request.url).searchParams)
  return { query, result: await findCatalogue(db, query) }
}

export default function AllCoursesRoute({ loaderData }: Route.ComponentProps) {
  const wishes = useWishes()
  return (
    <CataloguePage
      {...loaderData}
      corner={({ id, title }) => <WishButton courseId={id} title={title} wishes={wishes} />}
    />
  )
}
