/**
 * /ResetPassword: set a new password.
 *
 * Step 1: a form asks for the email, and the server sends a link to it.
 * Step 2: the link (/ResetPassword?token=...) shows a form for the new password.
 */
import { resetEmailSentMessage, unexpectedErrorMessages } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { accountErrorResponse } from '~/features/accounts/form/account-error-response.server'
import {
  type AccountFormSuccess,
  checkForm,
  failedAccountFormResponse,
} from '~/features/accounts/form/form-result'
import { newPasswordForm, resetRequestForm } from '~/features/accounts/form/form-schemas'
import {
  findPasswordResetLink,
  requestPasswordReset,
  setPasswordByLink,
} from '~/features/accounts/password/password-reset.server'
import { type ResetLink, ResetPasswordPage } from '~/features/accounts/password/reset-password-page'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { db } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/reset-password'

/**
 * The URL contains the secret of the link, so the page must not be cached, and its full URL must
 * not be sent as a referrer. 'no-referrer' would also remove the Origin header, which the check
 * against cross-site requests needs.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: 'Reset your password',
    description: `Choose a new password for your ${siteName()} account.`,
    path: null,
    matches,
  })
}

export async function loader({ url }: Route.LoaderArgs): Promise<ResetLink> {
  const token = url.searchParams.get('token')
  return token ? findPasswordResetLink(db, token) : { status: 'none' }
}

/** Emails a link or, given the token of a link, sets the new password. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  if (form.has('token')) {
    return submitNewPassword(request, form)
  }

  return submitResetRequest(request, form)
}

async function submitResetRequest(request: Request, form: FormData) {
  const { data, errors } = checkForm(resetRequestForm, form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const error = await requestPasswordReset(accountService, createRequestContext(request), data)
  if (error) {
    return accountErrorResponse(error, { form })
  }

  return successResponse<AccountFormSuccess>({ notice: resetEmailSentMessage })
}

async function submitNewPassword(request: Request, form: FormData) {
  const { data, errors } = checkForm(newPasswordForm(env.PASSWORD_MIN_LENGTH), form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const requestContext = createRequestContext(request)
  const outcome = await setPasswordByLink(accountService, requestContext, data)
  if ('error' in outcome) {
    return accountErrorResponse(outcome.error, { form, headers: requestContext.responseCookies })
  }

  const { nextUrl } = outcome

  return successResponse<AccountFormSuccess>(
    { nextUrl },
    { redirectTo: nextUrl, headers: requestContext.responseCookies },
  )
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error) =>
    failedAccountFormResponse(error, unexpectedErrorMessages.resetPassword),
  )
}

export default function ResetPasswordRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ResetPasswordPage link={loaderData} result={actionData} />
}
