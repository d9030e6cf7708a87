import { Link, useNavigate, useSearchParams } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { afterSubmitErrorMessages } from '../account-errors'
import {
  AccountBanner,
  AccountPage,
  FormOutcome,
  OrByEmailLine,
  SignedInHint,
  SingleSignOnOnlyHint,
} from '../form/account-page'
import { EmailField, NameFields, NewPasswordFields } from '../form/form-fields'
import {
  type AccountForm,
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
} from '../form/form-result'
import { useAuth } from '../session/auth-provider'
import { safeRedirect } from '../sign-in/sign-in-urls'
import { SocialButtons } from '../social/social-buttons'
import type { ProviderName } from '../social/social-providers.server'

type SignUpPageProps = {
  signUpOptions: {
    socialProviders: ProviderName[]
    isSingleSignOnOnly: boolean
    passwordMinLength: number
  }
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

export function SignUpPage({ signUpOptions, result }: SignUpPageProps) {
  const { socialProviders, isSingleSignOnOnly, passwordMinLength } = signUpOptions
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const from = safeRedirect(parameters.get('from'))
  const form = useForm<AccountFormSuccess>({
    async validate(formData) {
      const { signUpForm } = await import('../form/form-schemas')
      return checkForm(signUpForm(passwordMinLength), formData).errors
    },
    initialResult: result,
    onSuccess: ({ nextUrl }) => nextUrl && refresh().then(() => navigate(nextUrl)),
    onSuccessFailed: afterSubmitErrorMessages.register,
  })

  return (
    <AccountPage
      title="Create your account"
      intro={<SignedInHint>It’s free and takes a minute.</SignedInHint>}
    >
      <AccountBanner form={form} />
      <SocialButtons providers={socialProviders} from={from} onSignedIn={() => navigate(from)} />
      {isSingleSignOnOnly ? (
        <SingleSignOnOnlyHint />
      ) : (
        <>
          {socialProviders.length > 0 && <OrByEmailLine />}
          <SignUpForm
            form={form}
            minLength={passwordMinLength}
            submittedValues={result?.done ? undefined : result?.submittedValues}
          />
        </>
      )}
      <p className="mt-8 text-center text-muted">
        Already have an account?{' '}
        <Link
          to={parameters.has('from') ? `/Login?${new URLSearchParams({ from })}` : '/Login'}
          className="link"
        >
          Sign in
        </Link>
      </p>
    </AccountPage>
  )
}

type SignUpFormProps = {
  form: AccountForm
  minLength: number
  submittedValues?: Record<string, string>
}

function SignUpForm({ form, minLength, submittedValues }: SignUpFormProps) {
  return (
    <Form form={form}>
      <fieldset disabled={form.isBusy} className="grid gap-5">
        <legend className="sr-only">Sign up with email</legend>
        <NameFields names={submittedValues} errors={form.errors} />
        <EmailField submittedEmail={submittedValues?.email} error={form.errors.email} />
        <NewPasswordFields label="Password" minLength={minLength} errors={form.errors} />
        <TermsField error={form.errors.terms} isAgreed={submittedValues?.terms === 'on'} />
        <FormOutcome error={form.errors.form} notice={form.notice} />
        <Button type="submit" className="min-h-12 w-full">
          {form.isBusy ? 'Creating Account...' : 'Create Account'}
        </Button>
      </fieldset>
    </Form>
  )
}

function TermsField({ error, isAgreed }: { error?: string; isAgreed: boolean }) {
  return (
    <div>
      <div className="flex items-start gap-2.5">
        <input
          id="terms"
          type="checkbox"
          name="terms"
          defaultChecked={isAgreed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'terms-error' : undefined}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        <label htmlFor="terms" className="cursor-pointer">
          I agree to the{' '}
          <a
            href="/Terms"
            target="_blank"
            rel="noopener"
            className="underline underline-offset-2 hover:text-accent"
          >
            terms and conditions
          </a>
        </label>
      </div>
      <p className="mt-1 ml-7.5 text-muted text-sm">
        Our{' '}
        <a
          href="/Privacy"
          target="_blank"
          rel="noopener"
          className="underline underline-offset-2 hover:text-accent"
        >
          privacy policy
        </a>{' '}
        says what we store and why.
      </p>
      {error && (
        <p id="terms-error" className="mt-1.5 font-medium text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
