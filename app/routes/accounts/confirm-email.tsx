import { redirect } from 'react-router'
import { accountErrorResponse, accountService } from '~/features/accounts/account-service.server'
import {
  type ConfirmationState,
  confirmEmail,
  disownAccount,
  findConfirmation,
  requestConfirmation,
} from '~/features/accounts/email-address/email-confirmation.server'
import {
  confirmation,
  EmailConfirmationPage,
} from '~/features/accounts/email-address/email-confirmation-page'
import { emailVerified } from '~/features/accounts/form/form-messages'
import type { AccountFormSuccess } from '~/features/accounts/form/form-result'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { getUserAgent } from '~/features/accounts/session/session.server'
import { issueWaitingCertificates } from '~/features/certificates/finished-work.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { reportError } from '~/server/operations/log.server'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/confirm-email'

/**
 * The address holds the link's secret, so it must not be cached or sent as a referrer.
 * 'no-referrer' would also remove the form's Origin.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Confirm the email address of your ${siteName()} account.`
  return pageMeta({ title: 'Confirm your email address', description, path: null, matches })
}

/** Changes nothing, because mail scanners open every link. */
export async function loader({ request, url }: Route.LoaderArgs): Promise<ConfirmationState> {
  const token = url.searchParams.get('token')
  const found = token && (await findConfirmation(db, token))
  if (found) {
    return { state: 'link', token, ...found }
  }

  const expired = token !== null
  const learner = await findLearner(request)
  if (!learner) {
    return { state: 'visitor', expired }
  }

  if (learner.emailVerified) {
    return { state: 'confirmed', expired }
  }

  return { state: 'unconfirmed', email: learner.email, expired }
}

/** Confirms the address, locks the account if its reader did not create it, or mails a new link. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  const token = String(form.get('token') ?? '')
  switch (form.get('intent')) {
    case 'confirm': {
      const uid = await confirmEmail(db, token)
      if (!uid) {
        return accountErrorResponse('link-expired')
      }

      await issueCertificates(request)
      const learner = await findLearner(request)

      return redirect(
        `${learner?.uid === uid ? '/Profile' : '/Login'}?notice=${emailVerified}`,
        303,
      )
    }
    case 'disown':
      if (!(await disownAccount(db, token, getUserAgent(request)))) {
        return accountErrorResponse('link-expired')
      }

      return redirect('/Login?notice=account-disowned', 303)
    case 'resend': {
      const learner = await findLearner(request)
      if (!learner) {
        return redirect('/Login?from=%2FConfirmEmail', 303)
      }

      const refusal = await requestConfirmation(accountService, learner.uid)

      return refusal
        ? accountErrorResponse(refusal)
        : successResponse<AccountFormSuccess>({ notice: confirmation.sent })
    }
    default:
      return accountErrorResponse('invalid-request')
  }
}

/** Issues certificates that waited for the confirmed address. A failure is only logged. */
async function issueCertificates(request: Request): Promise<void> {
  await databaseTime(db)
    .then((now) => issueWaitingCertificates(db, now))
    .catch((error) => reportError(error, { request }))
}

export default function ConfirmEmailRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <EmailConfirmationPage state={loaderData} result={actionData} />
}
