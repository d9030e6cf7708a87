import { data } from 'react-router'
import { HomePage } from '~/features/home/home-page'
import { getHome } from '~/features/home/home-queries.server'
import { db } from '~/server/database/client.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/not-found'

/** Any unknown address: the home page, with a status that keeps search engines from indexing it. */
export async function loader() {
  return data({ home: await getHome(db) }, { status: 404 })
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Page not found',
    description: 'We couldn’t find that page. Here’s the home page instead.',
    path: null,
    matches,
  })

export default function NotFoundRoute({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <p className="border-line border-b bg-warn-soft px-4 py-2.5 text-center font-medium text-warn">
        We couldn’t find that page. Here’s the home page instead.
      </p>
      <HomePage home={loaderData.home} />
    </>
  )
}
