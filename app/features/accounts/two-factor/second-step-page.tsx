import { Link, useNavigate } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { AccountBanner, AccountPage, FormOutcome } from '../form/account-page'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { PasskeyButton } from '../passkeys/passkey-sign-in'
import { useAuth } from '../session/auth-provider'
import { CodeField } from './code-field'
import { codeForm, secondStepTexts } from './two-factor-texts'

type SecondStepPageProps = {
  /** Which code the page asks for. */
  codeKind: 'app' | 'recovery'
  /** The URL of this page with the other kind of code. */
  otherCodeKindUrl: string
  /** Whether the account has a passkey, which replaces both steps. */
  hasPasskey: boolean
  /** The URL of the page that opens after the sign-in. */
  nextUrl: string
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

/** The second step of a sign-in: a code of the app, or a recovery code. */
export function SecondStepPage({
  codeKind,
  otherCodeKindUrl,
  hasPasskey,
  nextUrl,
  result,
}: SecondStepPageProps) {
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const form = useForm<AccountFormSuccess>({
    validate: (formData) => checkForm(codeForm, formData).errors,
    initialResult: result,
    onSuccess: async ({ nextUrl: urlAfterSignIn }) => {
      if (urlAfterSignIn) {
        await refresh()
        await navigate(urlAfterSignIn, { replace: true })
      }
    },
    // The loader would redirect to the login page, because the second step is no longer open.
    shouldRevalidate: false,
  })
  const asksForRecoveryCode = codeKind === 'recovery'

  return (
    <AccountPage
      title={secondStepTexts.title}
      intro={<p>{asksForRecoveryCode ? secondStepTexts.recovery : secondStepTexts.app}</p>}
    >
      <AccountBanner form={form} />
      <Form form={form}>
        <fieldset disabled={form.isBusy} className="grid gap-5">
          <legend className="sr-only">{secondStepTexts.title}</legend>
          <CodeField
            key={codeKind}
            label={asksForRecoveryCode ? 'Recovery code' : 'Code'}
            isNumeric={!asksForRecoveryCode}
            error={form.errors.code}
            // The code is all that this page asks for.
            autoFocus
          />
          <FormOutcome error={form.errors.form} notice={undefined} />
          <Button type="submit" className="min-h-12 w-full">
            {form.isBusy ? 'Signing In...' : 'Sign In'}
          </Button>
        </fieldset>
      </Form>
      {hasPasskey && (
        <div className="mt-4">
          {/* The button itself refreshes the session. */}
          <PasskeyButton onSignedIn={() => navigate(nextUrl, { replace: true })} />
        </div>
      )}
      <div className="mt-8 grid gap-3 text-center text-muted">
        <p>
          <Link to={otherCodeKindUrl} replace className="link">
            {asksForRecoveryCode ? secondStepTexts.useApp : secondStepTexts.useRecovery}
          </Link>
        </p>
        {asksForRecoveryCode && <p className="text-sm">{secondStepTexts.noCodes}</p>}
        <p>
          Not you?{' '}
          <Link to="/Login" className="link">
            Sign in to another account
          </Link>
        </p>
      </div>
    </AccountPage>
  )
}
