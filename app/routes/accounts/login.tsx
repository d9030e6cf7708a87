import { resetEmailSent, unexpectedErrorMessages } from '~/features/accounts/account-errors'
import { accountErrorResponse, accountService } from '~/features/accounts/account-service.server'
import { demoCredentials } from '~/features/accounts/demo-account.server'
import { findNotice } from '~/features/accounts/form/form-messages'
import {
  type AccountFormSuccess,
  checkForm,
  failedAccountFormResponse,
} from '~/features/accounts/form/form-result'
import { forgottenPasswordForm, loginForm } from '~/features/accounts/form/form-schemas'
import { requestPasswordReset } from '~/features/accounts/password/password-reset.server'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { LoginPage } from '~/features/accounts/sign-in/login-page'
import { signIn } from '~/features/accounts/sign-in/sign-in.server'
import { safeRedirect, secondStepUrl } from '~/features/accounts/sign-in/sign-in-urls'
import { listOfferedProviders } from '~/features/accounts/social/social-sign-in.server'
import { publicPage } from '~/server/cache/page-cache.server'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/login'

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has('Cache-Control') ? actionHeaders : publicPage()
}

export function meta({ matches, location }: Route.MetaArgs) {
  const notice = findNotice(new URLSearchParams(location.search).get('notice'))
  const description = `Sign in to ${siteName()} with your email, Google or Facebook, and pick up where you left off.`
  return pageMeta({ title: notice?.heading ?? 'Login', description, path: '/Login', matches })
}

export function loader() {
  return {
    ...listOfferedProviders(accountService),
    demoCredentials: env.DEMO_ACCOUNT ? demoCredentials : null,
  }
}

/** The form has two buttons: one signs in, and one emails a link to set a new password. */
export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  if (form.get('intent') === 'forgot') {
    return submitForgottenPassword(request, form)
  }

  return submitLogin(request, form, safeRedirect(url.searchParams.get('from')))
}

async function submitForgottenPassword(request: Request, form: FormData) {
  const { data, errors } = checkForm(forgottenPasswordForm, form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const error = await requestPasswordReset(accountService, createRequestContext(request), data)
  if (error) {
    return accountErrorResponse(error, { form })
  }

  return successResponse<AccountFormSuccess>({ notice: resetEmailSent })
}

/** @param from the path of the page from which the visitor came */
async function submitLogin(request: Request, form: FormData, from: string) {
  const { data, errors } = checkForm(loginForm, form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const requestContext = createRequestContext(request)
  const error = await signIn(accountService, requestContext, data)
  if (error && error !== 'second-step') {
    return accountErrorResponse(error, { form, headers: requestContext.responseCookies })
  }

  const nextUrl = error === 'second-step' ? secondStepUrl(from) : from

  return successResponse<AccountFormSuccess>(
    { nextUrl },
    { redirectTo: nextUrl, headers: requestContext.responseCookies },
  )
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData()
  const operation = form.get('intent') === 'forgot' ? 'resetPassword' : 'login'

  return serverAction().catch((error) =>
    failedAccountFormResponse(error, unexpectedErrorMessages[operation]),
  )
}

export default function LoginRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <LoginPage signInOptions={loaderData} result={actionData} />
}
