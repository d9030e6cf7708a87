import { InstructorPage } from '~/features/home/instructor-page'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/instructor'

export function headers() {
  return publicPage()
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: `Teach on ${siteName()}`,
    description:
      'The instructor portal is coming soon: build a course, see how people learn from it, and teach what you do.',
    path: '/Instructor',
    matches,
  })

export default function InstructorRoute() {
  return <InstructorPage />
}
