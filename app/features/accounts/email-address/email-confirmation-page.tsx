import { Form, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { momentText } from '~/ui/date-text'
import { accountErrorMessage } from '../account-errors'
import { AccountPage } from '../form/account-page'
import { FormOutcome } from '../form/form-outcome'
import type { FormResult } from '../form/form-result'
import type { ConfirmationState } from './email-confirmation-action.server'

type EmailConfirmationPageProps = { state: ConfirmationState; result?: FormResult }

/** Opened from the emailed link, and where a learner requests another one. */
export function EmailConfirmationPage({ state, result }: EmailConfirmationPageProps) {
  const expired = 'expired' in state && state.expired && !result
  return (
    <AccountPage title="Confirm your email address" intro={<Intro state={state} />}>
      <div className="grid gap-5">
        <FormOutcome
          error={
            result?.done === false ? result.errors.form : expired && state.state !== 'confirmed' ? expiredLink : null
          }
          notice={result?.done ? result.notice : null}
        />
        <WayOn state={state} />
      </div>
    </AccountPage>
  )
}

const expiredLink = accountErrorMessage('link-expired')

function Intro({ state }: { state: ConfirmationState }) {
  if (state.state === 'visitor') return <p>Sign in, and we’ll send you a new link.</p>
  if (state.state === 'confirmed') return <p>Your email address is confirmed. You’re all set.</p>
  if (state.state === 'unconfirmed') {
    return (
      <p>
        We’ll send a link to <Address email={state.email} />. Confirm your address to receive certificates.
      </p>
    )
  }
  return (
    <p>
      Someone created an account for <Address email={state.email} /> on {momentText(state.madeAt, 'UTC')}. Was that you?
    </p>
  )
}

function Address({ email }: { email: string }) {
  return <strong className="break-all text-ink">{email}</strong>
}

function WayOn({ state }: { state: ConfirmationState }) {
  const sending = useNavigation().state !== 'idle'
  if (state.state === 'visitor') return <ButtonLink to="/Login?from=%2FConfirmEmail">Sign in</ButtonLink>
  if (state.state === 'confirmed') return <ButtonLink to="/Profile">Go to your profile</ButtonLink>
  if (state.state === 'unconfirmed') {
    return (
      <Form method="post" action="/ConfirmEmail">
        <Button type="submit" name="intent" value="resend" disabled={sending} className="min-h-12 w-full">
          {sending ? 'Sending...' : 'Send a new link'}
        </Button>
      </Form>
    )
  }
  return (
    <Form method="post" action="/ConfirmEmail" className="grid gap-5">
      <input type="hidden" name="token" value={state.token} />
      <Button type="submit" name="intent" value="confirm" disabled={sending} className="min-h-12 w-full">
        Yes, confirm my address
      </Button>
      <Button
        type="submit"
        name="intent"
        value="disown"
        disabled={sending}
        look="secondary"
        className="min-h-12 w-full"
      >
        No, it wasn’t me
      </Button>
      <p className="text-muted text-sm">If it wasn’t you, we’ll lock that account so no one can sign in to it.</p>
    </Form>
  )
}
