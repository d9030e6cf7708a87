import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { SocialProviderId } from '~/server/auth/account-codes'
import { accountLimits } from '~/server/auth/account-codes'
import { ownPath } from '~/server/own-path'
import { Button } from '~/ui/button'
import { Field } from '~/ui/field'
import { AccountBanner, useBannerMessage } from './account-banner'
import { formFailures } from './account-errors'
import { useAccountForm } from './account-form'
import type { FormReply } from './account-form-actions.server'
import { AccountPage, OrByEmail } from './account-page'
import { useAuth } from './auth-provider'
import { FormOutcome } from './form-outcome'
import { PasswordField } from './password-field'
import { PasswordMeter } from './password-meter'
import { signUpForm } from './sign-up-form-schema'
import { SignedInHint } from './signed-in-hint'
import { SocialButtons } from './social-buttons'

export function SignUpPage({ socialProviders, reply }: { socialProviders: SocialProviderId[]; reply?: FormReply }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { clearError } = useAuth()
  const message = useBannerMessage(reply?.error)
  const from = ownPath(search.get('from'))
  const goOn = () => navigate(from)

  return (
    <AccountPage
      title="Create your account"
      intro={<SignedInHint>Free, and yours to keep. It takes a minute.</SignedInHint>}
    >
      <AccountBanner message={message} onClose={clearError} />
      <SocialButtons providers={socialProviders} from={from} onSignedIn={goOn} />
      {socialProviders.length > 0 && <OrByEmail />}
      <SignUpForm reply={reply} message={message} onSignedIn={goOn} />
      <p className="mt-8 text-center text-muted">
        Already have an account?{' '}
        <Link to={`/Login${search.has('from') ? `?${new URLSearchParams({ from })}` : ''}`} className="link">
          Sign in
        </Link>
      </p>
    </AccountPage>
  )
}

type SignUpFormProps = {
  reply?: FormReply
  /** What the banner shows; the form's copy goes with it, and is only of what the form itself asked for. */
  message: string | null
  onSignedIn(): void
}

function SignUpForm({ reply, message, onSignedIn }: SignUpFormProps) {
  const { register } = useAuth()
  const { form, errors, submitting, submit, edited } = useAccountForm(signUpForm, reply?.errors)
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState(reply?.error ?? null)
  const [thrown, setThrown] = useState<string | null>(null)

  async function signUp({ email, password, firstName, lastName }: Parameters<typeof register>[0]) {
    setThrown(null)
    try {
      const result = await register({ email, password, firstName, lastName })
      setFailure(result.success ? null : result.error)
      if (result.success) onSignedIn()
    } catch {
      setThrown(formFailures.register)
    }
  }

  return (
    <form ref={form} method="post" noValidate onInput={edited} onSubmit={(event) => submit(event, signUp)}>
      <fieldset disabled={submitting} className="grid gap-5">
        <legend className="sr-only">Sign up with email</legend>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="First name"
            name="firstName"
            autoComplete="given-name"
            maxLength={accountLimits.name}
            defaultValue={reply?.values?.firstName}
            error={errors.firstName}
          />
          <Field
            label="Last name"
            name="lastName"
            autoComplete="family-name"
            maxLength={accountLimits.name}
            defaultValue={reply?.values?.lastName}
            error={errors.lastName}
          />
        </div>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          defaultValue={reply?.values?.email}
          error={errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          error={errors.password}
          onChange={(event) => setPassword(event.target.value)}
          hint={<PasswordMeter password={password} />}
        />
        <PasswordField
          label="Confirm password"
          name="confirmPassword"
          autoComplete="new-password"
          error={errors.confirmPassword}
        />
        <TermsField error={errors.terms} agreed={reply?.values?.terms === 'on'} />
        <FormOutcome error={thrown ?? (message === failure ? message : null)} notice={reply?.notice} />
        <Button type="submit" data-needs-script="" className="min-h-12 w-full">
          {submitting ? 'Creating Account...' : 'Create Account'}
        </Button>
      </fieldset>
    </form>
  )
}

function TermsField({ error, agreed }: { error?: string; agreed: boolean }) {
  return (
    <div>
      <div className="flex items-start gap-2.5">
        <input
          id="terms"
          type="checkbox"
          name="terms"
          defaultChecked={agreed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'terms-error' : undefined}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        <label htmlFor="terms" className="cursor-pointer">
          I agree to the terms and conditions
        </label>
      </div>
      {error && (
        <p id="terms-error" className="mt-1.5 font-medium text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
