import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { SocialProviderId } from '~/server/auth/account-codes'
import { ownPath } from '~/server/own-path'
import { Button } from '~/ui/button'
import { Field } from '~/ui/field'
import { AccountBanner, useBannerMessage } from './account-banner'
import { accountErrorMessage, formFailures, resetMailSent, resetNeedsEmail } from './account-errors'
import { useAccountForm } from './account-form'
import type { FormReply } from './account-form-actions.server'
import { findNotice } from './account-notices'
import { AccountPage, FormNotice, OrByEmail } from './account-page'
import { useAuth } from './auth-provider'
import { DemoCredentials } from './demo-credentials'
import { FormOutcome } from './form-outcome'
import { loginForm } from './login-form-schema'
import { PasswordField } from './password-field'
import { SignedInHint } from './signed-in-hint'
import { SocialButtons } from './social-buttons'

export type LoginOffer = {
  socialProviders: SocialProviderId[]
  demo: { email: string; password: string } | null
}

export function LoginPage({ offer, reply }: { offer: LoginOffer; reply?: FormReply }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { clearError, refresh } = useAuth()
  const code = search.get('error')
  const message = useBannerMessage(reply?.error ?? (code && accountErrorMessage(code)))
  const notice = findNotice(search.get('notice'))
  const from = ownPath(search.get('from'))
  const goOn = () => navigate(from)

  // A notice follows something that may have ended this browser's session, too.
  useEffect(() => {
    if (notice) refresh()
  }, [notice, refresh])

  return (
    <AccountPage title="Welcome back" intro={<SignedInHint>Sign in to go on learning.</SignedInHint>}>
      <AccountBanner message={message} onClose={clearError} />
      <FormNotice notice={notice} />
      <SocialButtons providers={offer.socialProviders} from={from} onSignedIn={goOn} />
      {offer.socialProviders.length > 0 && <OrByEmail />}
      <LoginForm demo={offer.demo} reply={reply} message={message} onSignedIn={goOn} />
      <p className="mt-8 text-center text-muted">
        New to Learnify?{' '}
        <Link to={`/SignUp${search.has('from') ? `?${new URLSearchParams({ from })}` : ''}`} className="link">
          Create an account
        </Link>
      </p>
    </AccountPage>
  )
}

type LoginFormProps = {
  demo: LoginOffer['demo']
  reply?: FormReply
  /** What the banner shows; the form's copy goes with it, and is only of what the form itself asked for. */
  message: string | null
  onSignedIn(): void
}

function LoginForm({ demo, reply, message, onSignedIn }: LoginFormProps) {
  const { login } = useAuth()
  const { form, errors, showErrors, submitting, submit, edited } = useAccountForm(loginForm, reply?.errors)
  const forgot = useForgottenPassword(form, showErrors)
  const [failure, setFailure] = useState(reply?.error ?? null)
  const [thrown, setThrown] = useState<string | null>(null)

  function fill(credentials: { email: string; password: string }) {
    for (const [name, value] of Object.entries(credentials)) {
      const field = form.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement) field.value = value
    }
    showErrors({})
  }

  async function signIn(entered: { email: string; password: string; rememberMe: boolean }) {
    setThrown(null)
    forgot.setNotice(null)
    try {
      const result = await login(entered)
      setFailure(result.success ? null : result.error)
      if (result.success) onSignedIn()
    } catch {
      setThrown(formFailures.login)
    }
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onInput={edited}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent
        if (submitter?.getAttribute('value') !== 'forgot') return submit(event, signIn)
        event.preventDefault()
        return forgot.send().then(setFailure)
      }}
    >
      <fieldset disabled={submitting || forgot.sending} className="grid gap-5">
        <legend className="sr-only">Sign in with email</legend>
        {/* The first button is the one that Enter presses. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" data-needs-script="" className="sr-only">
          Enter
        </button>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          defaultValue={reply?.values?.email}
          error={errors.email}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
        <div className="-my-1 flex flex-wrap items-center justify-between gap-x-4">
          <label className="flex min-h-11 cursor-pointer items-center gap-2.5">
            <input
              type="checkbox"
              name="rememberMe"
              defaultChecked={reply?.values?.rememberMe === 'on'}
              className="size-5 accent-accent"
            />
            Remember me
          </label>
          <button type="submit" name="intent" value="forgot" data-needs-script="" className="link min-h-11">
            Forgot password?
          </button>
        </div>
        <FormOutcome error={thrown ?? (message === failure ? message : null)} notice={forgot.notice ?? reply?.notice} />
        <Button type="submit" data-needs-script="" className="min-h-12 w-full">
          {submitting ? 'Signing In...' : 'Sign In'}
        </Button>
      </fieldset>
      <DemoCredentials demo={demo} onFill={fill} />
    </form>
  )
}

/** The reset mail, asked for from the login form with the address that is typed there. */
function useForgottenPassword(
  form: React.RefObject<HTMLFormElement | null>,
  showErrors: (errors: Record<string, string>) => void,
) {
  const { resetPassword } = useAuth()
  const [notice, setNotice] = useState<string | null>(null)
  const [sending, setSending] = useState(false)

  /** @returns what the service refused. */
  async function send(): Promise<string | null> {
    setNotice(null)
    const email = form.current ? String(new FormData(form.current).get('email') ?? '').trim() : ''
    showErrors(email === '' ? { email: resetNeedsEmail } : {})
    if (email === '') return null
    setSending(true)
    const result = await resetPassword(email)
    setSending(false)
    if (!result.success) return result.error
    setNotice(resetMailSent)
    return null
  }

  return { notice, setNotice, sending, send }
}
