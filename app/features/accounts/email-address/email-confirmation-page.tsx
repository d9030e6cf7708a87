import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { formatDateTime } from '~/ui/format-date'
import { accountErrorMessage } from '../account-errors'
import { AccountPage, FormOutcome } from '../form/account-page'
import type { AccountFormResult } from '../form/form-result'
import type { ConfirmationState } from './email-confirmation.server'

type EmailConfirmationPageProps = { state: ConfirmationState; result?: AccountFormResult }

/** Opened from the emailed link, or to request a new one. */
export function EmailConfirmationPage({ state, result }: EmailConfirmationPageProps) {
  return (
    <AccountPage title="Confirm your email address" intro={<p>{introOf(state)}</p>}>
      <div className="grid gap-5">
        <FormOutcome
          error={problemOf(state, result)}
          notice={result?.done ? result.notice : null}
        />
        <NextStep state={state} />
      </div>
    </AccountPage>
  )
}

function introOf(state: ConfirmationState): ReactNode {
  if (state.state === 'visitor') {
    return confirmation.visitor
  }

  if (state.state === 'confirmed') {
    return confirmation.confirmed
  }

  const email = <strong className="break-all text-ink">{state.email}</strong>

  return state.state === 'unconfirmed'
    ? confirmation.unconfirmed(email)
    : confirmation.question(email, state.madeAt)
}

function problemOf(
  state: ConfirmationState,
  result: AccountFormResult | undefined,
): string | null | undefined {
  if (result) {
    return result.done ? null : result.errors.form
  }

  const cameByOldLink = 'expired' in state && state.expired && state.state !== 'confirmed'
  return cameByOldLink ? accountErrorMessage('link-expired') : null
}

function NextStep({ state }: { state: ConfirmationState }) {
  const sending = useNavigation().state !== 'idle'
  if (state.state === 'visitor') {
    return <ButtonLink to="/Login?from=%2FConfirmEmail">Sign in</ButtonLink>
  }

  if (state.state === 'confirmed') {
    return <ButtonLink to="/Profile">Go to your profile</ButtonLink>
  }

  if (state.state === 'unconfirmed') {
    return (
      <Form method="post" action="/ConfirmEmail">
        <Button
          type="submit"
          name="intent"
          value="resend"
          disabled={sending}
          className="min-h-12 w-full"
        >
          {sending ? 'Sending...' : 'Send a new link'}
        </Button>
      </Form>
    )
  }

  return (
    <Form method="post" action="/ConfirmEmail" className="grid gap-5">
      <input type="hidden" name="token" value={state.token} />
      <Button
        type="submit"
        name="intent"
        value="confirm"
        disabled={sending}
        className="min-h-12 w-full"
      >
        Yes, confirm my address
      </Button>
      <Button
        type="submit"
        name="intent"
        value="disown"
        disabled={sending}
        variant="secondary"
        className="min-h-12 w-full"
      >
        No, it wasn’t me
      </Button>
      <p className="text-muted text-sm">{confirmation.ifNot}</p>
    </Form>
  )
}

/** Messages of the confirmation page. @param email as it stands in the page. */
export const confirmation = {
  visitor: 'Sign in, and we’ll send you a new link.',
  confirmed: 'Your email address is confirmed. You’re all set.',
  unconfirmed: (email: ReactNode): ReactNode => (
    <>We’ll send a link to {email}. Confirm your address to receive certificates.</>
  ),
  question: (email: ReactNode, madeAt: string): ReactNode => (
    <>
      Someone created an account for {email} on {formatDateTime(madeAt, 'UTC')}. Was that you?
    </>
  ),
  ifNot: 'If it wasn’t you, we’ll lock that account so no one can sign in to it.',
  sent: 'We’ve sent you a new link',
} as const
