import { resetAction } from '~/features/accounts/account-form-actions.server'
import { type ResetLink, ResetPasswordPage } from '~/features/accounts/reset-password-page'
import { findMailedToken } from '~/server/auth/mailed-tokens.server'
import { db } from '~/server/database/client.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/reset-password'

/** The address holds the link's secret: nobody may keep it or be told it. 'no-referrer' would take the form's Origin, too. */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: 'Reset your password',
    description: 'Choose a new password for your Learnify account.',
    path: null,
    matches,
  })
}

export async function loader({ request }: Route.LoaderArgs): Promise<ResetLink> {
  const token = new URL(request.url).searchParams.get('token')
  if (!token) return { state: 'none' }
  return (await findMailedToken(db, 'reset-password', token)) ? { state: 'usable', token } : { state: 'expired' }
}

export function action({ request }: Route.ActionArgs) {
  return resetAction(request)
}

export default function ResetPasswordRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ResetPasswordPage link={loaderData} reply={actionData} />
}
