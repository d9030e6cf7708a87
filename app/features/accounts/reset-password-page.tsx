import { useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { Button } from '~/ui/button'
import { Field } from '~/ui/field'
import type { FormReply } from './account-form-actions.server'
import { AccountPage } from './account-page'
import { FormOutcome } from './form-outcome'
import { PasswordField } from './password-field'
import { PasswordMeter } from './password-meter'

/** What the address of the page brings: nothing, a link that still works, or one that does not. */
export type ResetLink = { state: 'none' } | { state: 'usable'; token: string } | { state: 'expired' }

export function ResetPasswordPage({ link, reply }: { link: ResetLink; reply?: FormReply }) {
  const sending = useNavigation().state !== 'idle'
  if (link.state === 'usable') {
    return (
      <AccountPage title="Choose a new password" intro={<p>You will be signed out everywhere else.</p>}>
        <NewPasswordForm token={link.token} reply={reply} sending={sending} />
      </AccountPage>
    )
  }
  const intro =
    link.state === 'expired'
      ? 'This link has been used already or has expired. Ask for a new one:'
      : 'Enter the email address of your account, and we send you a link.'
  return (
    <AccountPage title="Reset your password" intro={<p>{intro}</p>}>
      <ResetRequestForm reply={reply} sending={sending} />
      <p className="mt-8 text-center text-muted">
        Remembered it?{' '}
        <Link to="/Login" className="link">
          Sign in
        </Link>
      </p>
    </AccountPage>
  )
}

type ResetFormProps = { reply?: FormReply; sending: boolean }

function ResetRequestForm({ reply, sending }: ResetFormProps) {
  return (
    <Form method="post" noValidate>
      <fieldset disabled={sending} className="grid gap-5">
        <legend className="sr-only">Ask for a link</legend>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          defaultValue={reply?.values?.email}
          error={reply?.errors?.email}
        />
        <FormOutcome error={reply?.error} notice={reply?.notice} />
        <Button type="submit" className="min-h-12 w-full">
          {sending ? 'Sending...' : 'Send the link'}
        </Button>
      </fieldset>
    </Form>
  )
}

function NewPasswordForm({ token, reply, sending }: ResetFormProps & { token: string }) {
  const [password, setPassword] = useState('')
  return (
    <Form method="post" noValidate>
      <input type="hidden" name="token" value={token} />
      <fieldset disabled={sending} className="grid gap-5">
        <legend className="sr-only">New password</legend>
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          error={reply?.errors?.password}
          onChange={(event) => setPassword(event.target.value)}
          hint={<PasswordMeter password={password} />}
        />
        <PasswordField
          label="Confirm password"
          name="confirmPassword"
          autoComplete="new-password"
          error={reply?.errors?.confirmPassword}
        />
        <FormOutcome error={reply?.error} notice={null} />
        <Button type="submit" className="min-h-12 w-full">
          {sending ? 'Saving...' : 'Set new password'}
        </Button>
      </fieldset>
    </Form>
  )
}
