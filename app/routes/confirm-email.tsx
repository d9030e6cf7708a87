import {
  confirmEmailAction,
  findConfirmationState,
} from '~/features/accounts/email-address/email-confirmation-action.server'
import { EmailConfirmationPage } from '~/features/accounts/email-address/email-confirmation-page'
import { issueWaitingCertificates } from '~/features/learning/finished-work.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { reportError } from '~/server/log.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/confirm-email'

/**
 * The address holds the link's secret, so it must not be cached or sent as a referrer. 'no-referrer' would also remove
 * the form's Origin.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  const description = 'Confirm the email address of your Learnify account.'
  return pageMeta({ title: 'Confirm your email address', description, path: null, matches })
}

/** Changes nothing, because mail scanners open every link. */
export function loader({ request }: Route.LoaderArgs) {
  return findConfirmationState(request)
}

/** Certificates that waited for this address are there when the learner looks next. */
export async function action({ request }: Route.ActionArgs) {
  const answer = await confirmEmailAction(request)
  await databaseTime(db)
    .then((now) => issueWaitingCertificates(db, now))
    .catch((error) => reportError(error, { request }))
  return answer
}

export default function ConfirmEmailRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <EmailConfirmationPage state={loaderData} result={actionData} />
}
