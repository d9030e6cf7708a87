import { Link, useNavigate } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { AccountPage, FormOutcome } from '../form/account-page'
import { EmailField, NewPasswordFields } from '../form/form-fields'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { newPasswordForm, resetRequestForm } from '../form/form-schemas'
import { useAuth } from '../session/auth-provider'

/** The reset link in the URL of the page, which is missing, valid or expired. */
export type ResetLink =
  | { status: 'none' }
  /** `hasPassword` is false after an invitation, and for sign-ins by Google or Facebook. */
  | { status: 'usable'; token: string; hasPassword: boolean; minLength: number }
  | { status: 'expired' }

type ResetPasswordPageProps = {
  link: ResetLink
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

export function ResetPasswordPage({ link, result }: ResetPasswordPageProps) {
  if (link.status === 'usable') {
    const title = link.hasPassword ? 'Choose a new password' : 'Choose a password'
    const intro = link.hasPassword ? resetIntros.replacePassword : resetIntros.firstPassword

    return (
      <AccountPage title={title} intro={<p>{intro}</p>}>
        <NewPasswordForm link={link} result={result} />
      </AccountPage>
    )
  }

  return (
    <AccountPage title="Reset your password" intro={<p>{resetIntros[link.status]}</p>}>
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
    validate: (formData) => checkForm(resetRequestForm, formData).errors,
    initialResult: result,
  })
  return (
    <Form form={form}>
      <fieldset disabled={form.isBusy} className="grid gap-5">
        <legend className="sr-only">Request a link</legend>
        <EmailField
          submittedEmail={result?.done ? undefined : result?.submittedValues?.email}
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
  link: ResetLink & { status: 'usable' }
  result?: AccountFormResult
}) {
  const label = link.hasPassword ? 'New password' : 'Password'
  const buttonLabel = link.hasPassword ? 'Set new password' : 'Set password'
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const form = useForm<AccountFormSuccess>({
    validate: (formData) => checkForm(newPasswordForm(link.minLength), formData).errors,
    initialResult: result,
    // The loader must not run again, because the link that was just used would show as expired.
    shouldRevalidate: false,
    onSuccess: ({ nextUrl }) =>
      nextUrl && refresh().then(() => navigate(nextUrl, { replace: true })),
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

/** The page's first sentence for each action that the link allows. */
const resetIntros = {
  replacePassword: 'You’ll be signed out everywhere else.',
  firstPassword:
    'You’ll be signed in right away. From then on, sign in with your email address and this password.',
  expired: 'This link has expired or has already been used. Request a new one:',
  none: 'Enter your account’s email address, and we’ll send you a link.',
} as const
