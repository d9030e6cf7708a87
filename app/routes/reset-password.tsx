import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { resetMailSent, unexpectedFailures } from '~/features/accounts/account-errors'
import { answerForm } from '~/features/accounts/form/answer-form.server'
import { resultOr } from '~/features/accounts/form/form-result'
import { findResetLink, requestPasswordReset, setNewPassword } from '~/features/accounts/password/new-password.server'
import { newPasswordForm, resetRequestForm } from '~/features/accounts/password/reset-form-schema'
import { type ResetLink, ResetPasswordPage } from '~/features/accounts/password/reset-password-page'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/reset-password'

/**
 * The address holds the link's secret, so it must not be cached or sent as a referrer. 'no-referrer' would also remove
 * the form's Origin.
 */
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

export async function loader({ url }: Route.LoaderArgs): Promise<ResetLink> {
  const token = url.searchParams.get('token')
  return token ? findResetLink(db, token) : { state: 'none' }
}

/** Mails a link, or with the token of one sets the new password. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  return form.has('token')
    ? answerForm(request, form, newPasswordForm, setNewPassword, { onward: '/Login?notice=password-changed' })
    : answerForm(request, form, resetRequestForm, requestPasswordReset, { notice: resetMailSent })
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return resultOr(serverAction, unexpectedFailures.resetPassword)
}

/** A link that has just been used would be shown as one that has expired. */
export function shouldRevalidate({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formMethod === undefined && defaultShouldRevalidate
}

export default function ResetPasswordRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ResetPasswordPage link={loaderData} result={actionData} />
}
