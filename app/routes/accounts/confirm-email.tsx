/**
 * /ConfirmEmail: the page behind the link in a welcome or confirmation email. The reader of the
 * email either confirms it or says that someone else created the account. A signed-in learner
 * without a link can request a new one.
 */
import type { ReactNode } from 'react'
import { Form, redirect, useNavigation } from 'react-router'
import { accountErrorMessage } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import {
  type ConfirmationView,
  confirmEmail,
  disownAccount,
  findAccountToConfirm,
  requestConfirmation,
} from '~/features/accounts/email-address/email-confirmation.server'
import { accountErrorResponse } from '~/features/accounts/form/account-error-response.server'
import { AccountPage, FormOutcome } from '~/features/accounts/form/account-page'
import { emailVerifiedNotice } from '~/features/accounts/form/form-messages'
import type { AccountFormResult, AccountFormSuccess } from '~/features/accounts/form/form-result'
import { getUserAgent } from '~/features/accounts/session/request-context.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { issueWaitingCertificates } from '~/features/certificates/rewards.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { reportError } from '~/server/operations/log.server'
import { Button, ButtonLink } from '~/ui/button'
import { formatDateTime } from '~/ui/format-date'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/confirm-email'

/**
 * The URL contains the secret of the link, so the page must not be cached, and its full URL must
 * not be sent as a referrer. 'no-referrer' would also remove the Origin header, which the check
 * against cross-site requests needs.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Confirm the email address of your ${siteName()} account.`
  return pageMeta({ title: 'Confirm your email address', description, path: null, matches })
}

/**
 * Loads the link. The loader must not confirm the email, because email scanners open every link.
 */
export async function loader({ request, url }: Route.LoaderArgs): Promise<ConfirmationView> {
  const token = url.searchParams.get('token')
  if (token) {
    const confirmation = await findAccountToConfirm(db, token)
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

      return redirect(`${nextPage}?notice=${emailVerifiedNotice}`, 303)
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

type EmailConfirmationPageProps = {
  view: ConfirmationView
  /** The route action's result. */
  result?: AccountFormResult
}

/** The page behind an emailed confirmation link, which also sends a new link. */
function EmailConfirmationPage({ view, result }: EmailConfirmationPageProps) {
  return (
    <AccountPage title="Confirm your email address" intro={<p>{getIntro(view)}</p>}>
      <div className="grid gap-5">
        <FormOutcome
          error={getErrorMessage(view, result)}
          notice={result?.done ? result.notice : null}
        />
        <NextStep view={view} />
      </div>
    </AccountPage>
  )
}

function getIntro(view: ConfirmationView): ReactNode {
  switch (view.status) {
    case 'visitor':
      return confirmationTexts.visitor
    case 'confirmed':
      return confirmationTexts.confirmed
    case 'unconfirmed':
      return confirmationTexts.unconfirmed(<EmailText email={view.email} />)
    case 'link':
      return confirmationTexts.question(
        <EmailText email={view.email} />,
        formatDateTime(view.accountCreatedAt, view.timeZone),
      )
  }
}

function EmailText({ email }: { email: string }) {
  return <strong className="break-all text-ink">{email}</strong>
}

function getErrorMessage(
  view: ConfirmationView,
  result: AccountFormResult | undefined,
): string | null | undefined {
  if (result) {
    return result.done ? null : result.errors.form
  }

  const isLinkExpired = 'isLinkExpired' in view && view.isLinkExpired

  return isLinkExpired ? accountErrorMessage('link-expired') : null
}

function NextStep({ view }: { view: ConfirmationView }) {
  switch (view.status) {
    case 'visitor':
      return <ButtonLink to="/Login?from=%2FConfirmEmail">Sign in</ButtonLink>
    case 'confirmed':
      return <ButtonLink to="/Profile">Go to your profile</ButtonLink>
    case 'unconfirmed':
      return <ResendForm />
    case 'link':
      return <AnswerForm token={view.token} />
  }
}

function ResendForm() {
  const isSending = useNavigation().state !== 'idle'

  return (
    <Form method="post" action="/ConfirmEmail">
      <Button
        type="submit"
        name="intent"
        value="resend"
        disabled={isSending}
        className="min-h-12 w-full"
      >
        {isSending ? 'Sending...' : 'Send a new link'}
      </Button>
    </Form>
  )
}

/** The buttons with which the reader of the email confirms or disowns the account. */
function AnswerForm({ token }: { token: string }) {
  const isSending = useNavigation().state !== 'idle'

  return (
    <Form method="post" action="/ConfirmEmail" className="grid gap-5">
      <input type="hidden" name="token" value={token} />
      <Button
        type="submit"
        name="intent"
        value="confirm"
        disabled={isSending}
        className="min-h-12 w-full"
      >
        Yes, confirm my address
      </Button>
      <Button
        type="submit"
        name="intent"
        value="disown"
        disabled={isSending}
        variant="secondary"
        className="min-h-12 w-full"
      >
        No, it wasn’t me
      </Button>
      <p className="text-muted text-sm">{confirmationTexts.disownHint}</p>
    </Form>
  )
}

const confirmationTexts = {
  visitor: 'Sign in, and we’ll send you a new link.',
  confirmed: 'Your email address is confirmed. You’re all set.',
  unconfirmed: (email: ReactNode): ReactNode => (
    <>We’ll send a link to {email}. Confirm your address to receive certificates.</>
  ),
  question: (email: ReactNode, createdAt: string): ReactNode => (
    <>
      Someone created an account for {email} on {createdAt}. Was that you?
    </>
  ),
  disownHint: 'If it wasn’t you, we’ll lock that account so no one can sign in to it.',
  sent: 'We’ve sent you a new link',
} as const
