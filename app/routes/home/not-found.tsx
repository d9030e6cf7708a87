import { data } from 'react-router'
import { UnknownPage, unknownPageMeta } from '~/features/home/home-page'
import { getHome } from '~/features/home/home-queries.server'
import { db } from '~/server/database/client.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/not-found'

/** Every unknown URL shows Home. The status 404 keeps search engines from listing it. */
export async function loader() {
  return data({ home: await getHome(db) }, { status: 404 })
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta({ ...unknownPageMeta, matches })

export default function NotFoundRoute({ loaderData }: Route.ComponentProps) {
  return <UnknownPage home={loaderData.home} />
}
