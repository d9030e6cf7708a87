import { Link, useNavigate } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { AccountPage, FormOutcome } from '../form/account-page'
import { EmailField, NewPasswordFields } from '../form/form-fields'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { newPasswordForm, resetRequestForm } from '../form/form-schemas'

/** The reset link in the URL of the page, which is missing, valid or expired. */
export type ResetLink =
  | { state: 'none' }
  /** `hasPassword` is false after an invitation, and for sign-ins by Google or Facebook. */
  | { state: 'usable'; token: string; hasPassword: boolean; minLength: number }
  | { state: 'expired' }

type ResetPasswordPageProps = {
  link: ResetLink
  /** The action's result for a form without scripts. */
  result?: AccountFormResult
}

export function ResetPasswordPage({ link, result }: ResetPasswordPageProps) {
  if (link.state === 'usable') {
    const [title, intro] = link.hasPassword
      ? ['Choose a new password', resetIntros.replace]
      : ['Choose a password', resetIntros.first]
    return (
      <AccountPage title={title} intro={<p>{intro}</p>}>
        <NewPasswordForm link={link} result={result} />
      </AccountPage>
    )
  }

  return (
    <AccountPage title="Reset your password" intro={<p>{resetIntros[link.state]}</p>}>
      <ResetRequestForm result={result} />
      <p className="mt-8 text-center text-muted">
        Remembered it?{' '}
        <Link to="/Login" className="link">
          Sign in
        </Link>
      </p>
    </AccountPage>
  )
}

function ResetRequestForm({ result }: { result?: AccountFormResult }) {
  const form = useForm<AccountFormSuccess>({
    validate: (entered) => checkForm(resetRequestForm, entered).errors,
    initialResult: result,
  })
  return (
    <Form form={form}>
      <fieldset disabled={form.isBusy} className="grid gap-5">
        <legend className="sr-only">Request a link</legend>
        <EmailField
          submittedValues={result?.done ? undefined : result?.submittedValues?.email}
          error={form.errors.email}
        />
        <FormOutcome error={form.errors.form} notice={form.notice} />
        <Button type="submit" className="min-h-12 w-full">
          {form.isBusy ? 'Sending...' : 'Send link'}
        </Button>
      </fieldset>
    </Form>
  )
}

function NewPasswordForm({
  link,
  result,
}: {
  link: ResetLink & { state: 'usable' }
  result?: AccountFormResult
}) {
  const label = link.hasPassword ? 'New password' : 'Password'
  const buttonLabel = link.hasPassword ? 'Set new password' : 'Set password'
  const navigate = useNavigate()
  const form = useForm<AccountFormSuccess>({
    validate: (entered) => checkForm(newPasswordForm(link.minLength), entered).errors,
    initialResult: result,
    // The loader must not run again, because the link that was just used would show as expired.
    shouldRevalidate: false,
    onSuccess: async ({ nextUrl }) => nextUrl && navigate(nextUrl),
  })

  return (
    <Form form={form} hiddenValues={{ token: link.token }}>
      <fieldset disabled={form.isBusy} className="grid gap-5">
        <legend className="sr-only">{label}</legend>
        <NewPasswordFields label={label} minLength={link.minLength} errors={form.errors} />
        <FormOutcome error={form.errors.form} notice={undefined} />
        <Button type="submit" className="min-h-12 w-full">
          {form.isBusy ? 'Saving...' : buttonLabel}
        </Button>
      </fieldset>
    </Form>
  )
}

/** Messages of the password reset, by the purpose of the link. */
const resetIntros = {
  replace: 'You’ll be signed out everywhere else.',
  first: 'From then on, sign in with your email address and this password.',
  expired: 'This link has expired or has already been used. Request a new one:',
  none: 'Enter your account’s email address, and we’ll send you a link.',
} as const
