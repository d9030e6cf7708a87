import { createCourseListJsonLd } from '~/features/catalog/sharing/structured-course'
import { HomePage } from '~/features/home/home-page'
import { getHome } from '~/features/home/home-queries.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import { findBrand, findOrigin, pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/home'

/** /: the home page, which is the same for everyone. */
export async function loader() {
  return { home: await readPublic(getHome) }
}

export function headers() {
  return publicPageHeaders()
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const hero = loaderData?.home.hero
  const courseUrls = loaderData?.home.popular.map(
    ({ id }) => `${findOrigin(matches)}/OneCourse/${id}`,
  )

  return [
    ...pageMeta({
      title: hero?.title ?? 'Learn whatever you want',
      description:
        findBrand(matches).description ??
        hero?.text ??
        'Learn whatever you want, whenever you want, however you want: courses with exams, and certificates that anyone can check.',
      path: '/',
      matches,
    }),
    ...(courseUrls ? [{ 'script:ld+json': createCourseListJsonLd(courseUrls) }] : []),
  ]
}

export default function HomeRoute({ loaderData }: Route.ComponentProps) {
  return <HomePage home={loaderData.home} />
}
