import { learnerOfStopAddress } from '~/features/study-plan/reminder-mail.server'
import { StopRemindersPage } from '~/features/study-plan/stop-reminders-page'
import { stopTexts } from '~/features/study-plan/study-plan-messages'
import { stopReminders } from '~/features/study-plan/study-plan-queries.server'
import { db } from '~/server/database/client.server'
import { done, refuse } from '~/server/http/action-result.server'
import { refuseUnanswered } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/stop-reminders'

/** The address holds the link's signature. 'no-referrer' would also remove the form's Origin. */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ title: 'Study reminders', description: 'Turn off study reminder emails.', path: null, matches })
}

export async function loader({ url }: Route.LoaderArgs) {
  return { usable: (await learnerOfStopAddress(url.searchParams)) !== null }
}

/**
 * Authorized by the signature in the address alone, because it also works without signing in, and mail programs send their own
 * form (RFC 8058), which expects no redirect. Idempotent.
 */
export async function action({ url }: Route.ActionArgs) {
  const uid = await learnerOfStopAddress(url.searchParams)
  if (!uid) return refuse(stopTexts.unreadable.text, { status: 403 })
  await stopReminders(db, uid)
  return done()
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch(refuseUnanswered)
}

export default function StopRemindersRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <StopRemindersPage usable={loaderData.usable} result={actionData} />
}
