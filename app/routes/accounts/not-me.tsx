import { redirect } from 'react-router'
import { accountService, refuseAccountForm } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { findNotMeLink, undoWhatWasNotMe } from '~/features/accounts/security/not-me.server'
import { type NotMeLink, NotMePage } from '~/features/accounts/security/not-me-page'
import { countClientAttempt, openRequestContext } from '~/features/accounts/session/session.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/http/request-body.server'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/not-me'

/**
 * The address holds the link's secret, so it must not be cached or sent as a referrer.
 * 'no-referrer' would also remove the form's Origin.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Lock down your ${siteName()} account after something that wasn’t you.`
  return pageMeta({ title: 'This wasn’t me', description, path: null, matches })
}

/** Changes nothing, because mail scanners open every link. */
export async function loader({ url }: Route.LoaderArgs): Promise<NotMeLink> {
  const token = url.searchParams.get('key')
  const link = token && (await findNotMeLink(db, token))

  return link
    ? { token, email: link.email, since: link.since.toISOString(), timeZone: link.timeZone }
    : null
}

/**
 * Authorized by the link's secret alone: its reader may be signed out, and someone else signed in.
 */
export async function action({ request }: Route.ActionArgs) {
  const token = String((await readForm(request)).get('key') ?? '')
  const requestContext = openRequestContext(request)
  if (!(await countClientAttempt(accountService, requestContext, attemptLimits.notMeByClient))) {
    return refuseAccountForm('too-many-requests')
  }

  const outcome = await undoWhatWasNotMe(accountService, requestContext, token)
  if (outcome === 'link-expired') {
    return refuseAccountForm(outcome)
  }

  return redirect(`/Login?notice=account-${outcome}`, 303)
}

export default function NotMeRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <NotMePage link={loaderData} result={actionData} />
}
