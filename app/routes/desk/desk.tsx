import {
  data,
  type MiddlewareFunction,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { DeskView } from '~/features/desk/desk-views'
import { exportPath, exportTable } from '~/features/desk/export-table.server'
import { joinDesk, joinPath, loadJoin } from '~/features/desk/join-desk.server'
import { JoinView } from '~/features/desk/join-view'
import { actAtDesk, loadDesk } from '~/features/desk/open-desk.server'
import { getHome } from '~/features/home/home-queries.server'
import { UnknownAddress, unknownAddressMeta } from '~/features/home/unknown-address'
import proseStyle from '~/features/learning/article/prose-text.css?url'
import { db } from '~/server/database/client.server'
import { refuse } from '~/server/http/action-result.server'
import { refuseInMaintenance } from '~/server/http/maintenance.server'
import { refuseUnanswered } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/desk'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

/** The address of a page may hold what was searched, and that of a link its secret. */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

/** A table is sent as it is, past the page. */
const sendTable: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const wanted = request.method === 'POST' && samePath(url, exportPath)
  return (wanted && (await exportTable(request))) || next()
}

export const middleware = [sendTable]

/**
 * All pages of the desk (`features/desk/desk-pages.server.ts`); to everybody else, they are unknown
 * addresses.
 */
export async function loader({ request, url }: Route.LoaderArgs) {
  refuseInMaintenance()
  const join = isJoin(url) ? await loadJoin(request, url) : null
  if (join) {
    return data(
      { join, screen: null, home: null },
      { status: join.state === 'expired' ? 404 : 200 },
    )
  }

  const screen = isJoin(url) ? null : await loadDesk(request, url)
  if (screen) {
    return data({ join: null, screen, home: null })
  }

  return data({ join: null, screen: null, home: await getHome(db) }, { status: 404 })
}

export async function action({ request, url }: Route.ActionArgs) {
  if (!isJoin(url)) {
    return (await actAtDesk(request, url)) ?? refuseUnknown()
  }

  const joined = (await joinDesk(request, url)) ?? refuseUnknown()
  if (joined === true) {
    throw redirect('/Desk', 303)
  }

  return joined
}

const samePath = ({ pathname }: URL, path: string) =>
  pathname.toLowerCase().replace(/\/$/, '') === path.toLowerCase()
const isJoin = (url: URL) => samePath(url, joinPath)

const refuseUnknown = () => refuse(unknownAddressMeta.description, { status: 404 })

/**
 * Also after a refusal, which is often due to an outdated page: it then shows the current state,
 * with the typed text.
 */
export function shouldRevalidate({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate || actionStatus === 400
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch(refuseUnanswered)
}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData || loaderData.home) {
    return pageMeta({ ...unknownAddressMeta, matches })
  }

  return pageMeta({ title: 'Desk', description: 'The desk of this school.', path: null, matches })
}

export default function DeskRoute({
  loaderData: { join, screen, home },
  actionData,
}: Route.ComponentProps) {
  if (screen) {
    return <DeskView screen={screen} result={actionData} />
  }

  return join ? <JoinView join={join} result={actionData} /> : <UnknownAddress home={home} />
}
