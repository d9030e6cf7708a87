import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { formatDateTime } from '~/ui/format-date'
import { accountErrorMessage } from '../account-errors'
import { AccountPage, FormOutcome } from '../form/account-page'
import type { AccountFormResult } from '../form/form-result'
import type { ConfirmationView } from './email-confirmation.server'

type EmailConfirmationPageProps = {
  view: ConfirmationView
  /** The route action's result. */
  result?: AccountFormResult
}

/** The page behind an emailed confirmation link, which also sends a new link. */
export function EmailConfirmationPage({ view, result }: EmailConfirmationPageProps) {
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
      return confirmationTexts.question(<EmailText email={view.email} />, view.accountCreatedAt)
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

export const confirmationTexts = {
  visitor: 'Sign in, and we’ll send you a new link.',
  confirmed: 'Your email address is confirmed. You’re all set.',
  unconfirmed: (email: ReactNode): ReactNode => (
    <>We’ll send a link to {email}. Confirm your address to receive certificates.</>
  ),
  question: (email: ReactNode, accountCreatedAt: string): ReactNode => (
    <>
      Someone created an account for {email} on {formatDateTime(accountCreatedAt, 'UTC')}. Was that
      you?
    </>
  ),
  disownHint: 'If it wasn’t you, we’ll lock that account so no one can sign in to it.',
  sent: 'We’ve sent you a new link',
} as const
