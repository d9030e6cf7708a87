import { resetMailSent, unexpectedFailures } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { demoCredentials } from '~/features/accounts/demo/demo-account.server'
import { answerForm } from '~/features/accounts/form/answer-form.server'
import { resultOr } from '~/features/accounts/form/form-result'
import { findNotice } from '~/features/accounts/form/notice-messages'
import { requestPasswordReset } from '~/features/accounts/password/new-password.server'
import { forgottenPasswordForm, loginForm } from '~/features/accounts/sign-in/login-form-schema'
import { LoginPage } from '~/features/accounts/sign-in/login-page'
import { ownPath } from '~/features/accounts/sign-in/own-path'
import { isPasswordForgotten } from '~/features/accounts/sign-in/password-forgotten'
import { signIn } from '~/features/accounts/sign-in/sign-in.server'
import { publicPage } from '~/server/cache-public-pages.server'
import { env } from '~/server/env.server'
import { readForm } from '~/server/request-body.server'
import { revalidateUnlessRefused } from '~/ui/action-result'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/login'

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has('Cache-Control') ? actionHeaders : publicPage()
}

export function meta({ matches, location }: Route.MetaArgs) {
  const notice = findNotice(new URLSearchParams(location.search).get('notice'))
  const description = 'Sign in to Learnify with your email, Google or Facebook, and pick up where you left off.'
  return pageMeta({ title: notice?.heading ?? 'Login', description, path: '/Login', matches })
}

export function loader() {
  return {
    socialProviders: accountService.providers.map(({ id }) => id),
    demo: env.DEMO_ACCOUNT ? demoCredentials : null,
  }
}

/** Signs in; the second button emails a link to set a new password. */
export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  if (isPasswordForgotten(form))
    return answerForm(request, form, forgottenPasswordForm, requestPasswordReset, { notice: resetMailSent })
  const onward = ownPath(url.searchParams.get('from'))
  return answerForm(request, form, loginForm, signIn, { onward })
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const forgotten = isPasswordForgotten(await request.clone().formData())
  return resultOr(serverAction, unexpectedFailures[forgotten ? 'resetPassword' : 'login'])
}

export const shouldRevalidate = revalidateUnlessRefused

export default function LoginRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <LoginPage offer={loaderData} result={actionData} />
}
