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
  /** The learner has chosen to enter a recovery code. */
  byRecoveryCode: boolean
  /** The address of the other choice. */
  otherAddress: string
  /** The account has a passkey, which is as good as both steps. */
  passkey: boolean
  onward: string
  /** The action's result for a form without scripts. */
  result?: AccountFormResult
}

/** The second step of a sign-in: a code of the app, or a recovery code. */
export function SecondStepPage({
  byRecoveryCode,
  otherAddress,
  passkey,
  onward,
  result,
}: SecondStepPageProps) {
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const form = useForm<AccountFormSuccess>({
    validate: (entered) => checkForm(codeForm, entered).errors,
    initialResult: result,
    onSuccess: ({ onward }) => onward && refresh().then(() => navigate(onward, { replace: true })),
    // Read again, the step that was just taken would show as over.
    shouldRevalidate: false,
  })

  return (
    <AccountPage
      title={secondStepTexts.title}
      intro={<p>{byRecoveryCode ? secondStepTexts.recovery : secondStepTexts.app}</p>}
    >
      <AccountBanner form={form} />
      <Form form={form}>
        <fieldset disabled={form.isBusy} className="grid gap-5">
          <legend className="sr-only">{secondStepTexts.title}</legend>
          <CodeField
            key={String(byRecoveryCode)}
            label={byRecoveryCode ? 'Recovery code' : 'Code'}
            digits={!byRecoveryCode}
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
      {passkey && (
        <div className="mt-4">
          <PasskeyButton onSignedIn={() => navigate(onward, { replace: true })} />
        </div>
      )}
      <div className="mt-8 grid gap-3 text-center text-muted">
        <p>
          <Link to={otherAddress} replace className="link">
            {byRecoveryCode ? secondStepTexts.useApp : secondStepTexts.useRecovery}
          </Link>
        </p>
        {byRecoveryCode && <p className="text-sm">{secondStepTexts.noCodes}</p>}
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
