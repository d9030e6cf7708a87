import { resetMailSent, unexpectedFailures } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { demoCredentials } from '~/features/accounts/demo/demo-account.server'
import { refuseAccountForm } from '~/features/accounts/form/account-refusal.server'
import { checkForm } from '~/features/accounts/form/form-check'
import { type FormDone, refuseUnansweredForm } from '~/features/accounts/form/form-result'
import { findNotice } from '~/features/accounts/form/notice-messages'
import { requestPasswordReset } from '~/features/accounts/password/new-password.server'
import { openVisit } from '~/features/accounts/session/visit.server'
import { forgottenPasswordForm, loginForm } from '~/features/accounts/sign-in/login-form-schema'
import { LoginPage } from '~/features/accounts/sign-in/login-page'
import { ownPath } from '~/features/accounts/sign-in/own-path'
import { isPasswordForgotten } from '~/features/accounts/sign-in/password-forgotten'
import { signIn } from '~/features/accounts/sign-in/sign-in.server'
import { done, refuse } from '~/server/action-result.server'
import { env } from '~/server/env.server'
import { publicPage } from '~/server/page-cache.server'
import { readForm } from '~/server/request-body.server'
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
  const visit = openVisit(request)
  if (isPasswordForgotten(form)) {
    const { data, errors } = checkForm(forgottenPasswordForm, form)
    if (errors) return refuse(errors, { form })
    const refusal = await requestPasswordReset(accountService, visit, data)
    return refusal ? refuseAccountForm(refusal, { form }) : done<FormDone>({ notice: resetMailSent })
  }
  const { data, errors } = checkForm(loginForm, form)
  if (errors) return refuse(errors, { form })
  const refusal = await signIn(accountService, visit, data)
  if (refusal) return refuseAccountForm(refusal, { form, headers: visit.cookies })
  const onward = ownPath(url.searchParams.get('from'))
  return done<FormDone>({ onward }, { page: onward, headers: visit.cookies })
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const forgotten = isPasswordForgotten(await request.clone().formData())
  const failed = unexpectedFailures[forgotten ? 'resetPassword' : 'login']
  return serverAction().catch((error) => refuseUnansweredForm(error, failed))
}

export default function LoginRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <LoginPage offer={loaderData} result={actionData} />
}
