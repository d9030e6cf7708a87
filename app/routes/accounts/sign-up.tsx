import { unexpectedErrorMessages } from '~/features/accounts/account-errors'
import { accountErrorResponse, accountService } from '~/features/accounts/account-service.server'
import {
  type AccountFormSuccess,
  checkForm,
  failedAccountFormResponse,
} from '~/features/accounts/form/form-result'
import { signUpForm } from '~/features/accounts/form/form-schemas'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { safeRedirect } from '~/features/accounts/sign-in/sign-in-urls'
import { registerAccount } from '~/features/accounts/sign-up/registration.server'
import { SignUpPage } from '~/features/accounts/sign-up/sign-up-page'
import { listOfferedProviders } from '~/features/accounts/social/social-sign-in.server'
import { publicPage } from '~/server/cache/page-cache.server'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/sign-up'

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has('Cache-Control') ? actionHeaders : publicPage()
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Create a free ${siteName()} account with your email, Google or Facebook, and start learning today.`
  return pageMeta({ title: 'Sign up', description, path: '/SignUp', matches })
}

export function loader() {
  return { ...listOfferedProviders(accountService), passwordMinLength: env.PASSWORD_MIN_LENGTH }
}

export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  const { data, errors } = checkForm(signUpForm(env.PASSWORD_MIN_LENGTH), form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const requestContext = createRequestContext(request)
  const error = await registerAccount(accountService, requestContext, data)
  if (error) {
    return accountErrorResponse(error, { form, headers: requestContext.responseCookies })
  }

  const nextUrl = safeRedirect(url.searchParams.get('from'))

  return successResponse<AccountFormSuccess>(
    { nextUrl },
    { redirectTo: nextUrl, headers: requestContext.responseCookies },
  )
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error) =>
    failedAccountFormResponse(error, unexpectedErrorMessages.register),
  )
}

export default function SignUpRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignUpPage signUpOptions={loaderData} result={actionData} />
}
