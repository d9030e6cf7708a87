import { redirect } from 'react-router'
import { accountErrorResponse, accountService } from '~/features/accounts/account-service.server'
import {
  type ConfirmationView,
  confirmEmail,
  disownAccount,
  findConfirmation,
  requestConfirmation,
} from '~/features/accounts/email-address/email-confirmation.server'
import {
  confirmationTexts,
  EmailConfirmationPage,
} from '~/features/accounts/email-address/email-confirmation-page'
import { emailVerified } from '~/features/accounts/form/form-messages'
import type { AccountFormSuccess } from '~/features/accounts/form/form-result'
import { getUserAgent } from '~/features/accounts/session/request-context.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
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
 * The URL contains the secret of the link, so the page must not be cached, and its full URL must not
 * be sent as a referrer. 'no-referrer' would also remove the Origin header, which the check against
 * cross-site requests needs.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Confirm the email address of your ${siteName()} account.`
  return pageMeta({ title: 'Confirm your email address', description, path: null, matches })
}

/** Loads the link. The loader must not confirm the email, because email scanners open every link. */
export async function loader({ request, url }: Route.LoaderArgs): Promise<ConfirmationView> {
  const token = url.searchParams.get('token')
  if (token) {
    const confirmation = await findConfirmation(db, token)
    if (confirmation) {
      return { status: 'link', token, ...confirmation }
    }
  }

  const isLinkExpired = token !== null
  const learner = await findLearner(request)
  if (!learner) {
    return { status: 'visitor', isLinkExpired }
  }

  if (learner.emailVerified) {
    return { status: 'confirmed' }
  }

  return { status: 'unconfirmed', email: learner.email, isLinkExpired }
}

/** Confirms the email, locks an account that its reader did not create, or emails a new link. */
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
      const nextPage = learner?.uid === uid ? '/Profile' : '/Login'

      return redirect(`${nextPage}?notice=${emailVerified}`, 303)
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

      const error = await requestConfirmation(accountService, learner.uid)
      if (error) {
        return accountErrorResponse(error)
      }

      return successResponse<AccountFormSuccess>({ notice: confirmationTexts.sent })
    }
    default:
      return accountErrorResponse('invalid-request')
  }
}

/** Issues certificates that waited for the confirmed email. A failure is only logged. */
async function issueCertificates(request: Request): Promise<void> {
  try {
    await issueWaitingCertificates(db, await databaseTime(db))
  } catch (error) {
    reportError(error, { request })
  }
}

export default function ConfirmEmailRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <EmailConfirmationPage view={loaderData} result={actionData} />
}
