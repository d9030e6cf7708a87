import { Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import { siteName } from '~/ui/site-name'
import { formFailures, toFormErrors } from '../account-errors'
import {
  AccountBanner,
  AccountPage,
  FormOutcome,
  OnlyOrganizations,
  OrByEmail,
  SignedInHint,
} from '../form/account-page'
import { EmailField, PasswordField } from '../form/form-fields'
import { findNotice } from '../form/form-messages'
import {
  type AccountForm,
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
} from '../form/form-result'
import { PasskeyButton, usePasskeysInField } from '../passkeys/passkey-sign-in'
import { useAuth } from '../session/auth-provider'
import { SocialButtons } from '../social/social-buttons'
import type { ProviderName } from '../social/social-providers.server'
import { safeRedirect } from './sign-in-urls'

type Credentials = { email: string; password: string }

type LoginPageProps = {
  offer: { socialProviders: ProviderName[]; isSingleSignOnOnly: boolean; demo: Credentials | null }
  /** The action's result for a form without scripts. */
  result?: AccountFormResult
}

async function validate(entered: FormData) {
  const { forgottenPasswordForm, loginForm } = await import('../form/form-schemas')
  return checkForm(entered.get('intent') === 'forgot' ? forgottenPasswordForm : loginForm, entered)
    .errors
}

export function LoginPage({ offer, result }: LoginPageProps) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const code = search.get('error')
  const notice = findNotice(search.get('notice'))
  const from = safeRedirect(search.get('from'))
  const form = useForm<AccountFormSuccess>({
    validate,
    initialResult:
      result ??
      (code === null ? undefined : { done: false, errors: {}, banner: toFormErrors(code).banner }),
    onSuccess: ({ nextUrl }) => nextUrl && refresh().then(() => navigate(nextUrl)),
    onSuccessFailed: formFailures.login,
  })

  const offerPasskeys = usePasskeysInField(() => navigate(from))

  // The action behind the notice may have ended this browser's session, too.
  useEffect(() => {
    if (notice) {
      refresh()
    }
  }, [notice, refresh])

  return (
    <AccountPage
      title={notice?.heading ?? 'Welcome back'}
      intro={<SignedInHint>{notice?.heading ? '' : 'Sign in to continue learning.'}</SignedInHint>}
    >
      <AccountBanner form={form} />
      {notice && (
        <Notice variant={notice.variant} silent className="mb-6">
          {notice.text}
        </Notice>
      )}
      <SocialButtons
        providers={offer.socialProviders}
        from={from}
        onSignedIn={() => navigate(from)}
      />
      {offer.isSingleSignOnOnly ? (
        <OnlyOrganizations />
      ) : (
        <>
          <div className="mt-3">
            <PasskeyButton onSignedIn={() => navigate(from)} />
          </div>
          <div className={offer.socialProviders.length === 0 ? 'noscript:hidden' : undefined}>
            <OrByEmail />
          </div>
          <LoginForm
            form={form}
            demo={offer.demo}
            submittedValues={result?.done ? {} : result?.submittedValues}
            onEmailFocus={offerPasskeys}
          />
        </>
      )}
      <p className="mt-8 text-center text-muted">
        New to {siteName()}?{' '}
        <Link
          to={`/SignUp${search.has('from') ? `?${new URLSearchParams({ from })}` : ''}`}
          className="link"
        >
          Create an account
        </Link>
      </p>
    </AccountPage>
  )
}

type LoginFormProps = {
  form: AccountForm
  demo: Credentials | null
  submittedValues?: Record<string, string>
  onEmailFocus(): void
}

function LoginForm({ form, demo, submittedValues, onEmailFocus }: LoginFormProps) {
  function fill(credentials: Credentials) {
    for (const [name, value] of Object.entries(credentials)) {
      const field = form.ref.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement) {
        field.value = value
      }
    }

    form.clear()
  }

  return (
    <Form form={form}>
      <fieldset disabled={form.isBusy} className="grid gap-5">
        <legend className="sr-only">Sign in with email</legend>
        {/* The first button is the one that Enter presses. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
          Enter
        </button>
        <EmailField
          submittedValues={submittedValues?.email}
          error={form.errors.email}
          autoComplete="username webauthn"
          onFocus={onEmailFocus}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={form.errors.password}
        />
        <div className="-my-1 flex flex-wrap items-center justify-between gap-x-4">
          <label className="flex min-h-11 cursor-pointer items-center gap-2.5">
            <input
              type="checkbox"
              name="rememberMe"
              defaultChecked={submittedValues?.rememberMe === 'on'}
              className="size-5 accent-accent"
            />
            Remember me
          </label>
          <button type="submit" name="intent" value="forgot" className="link min-h-11">
            Forgot password?
          </button>
        </div>
        <FormOutcome error={form.errors.form} notice={form.notice} />
        <Button type="submit" className="min-h-12 w-full">
          {form.isBusy && form.pendingIntent !== 'forgot' ? 'Signing In...' : 'Sign In'}
        </Button>
      </fieldset>
      <DemoCredentials demo={demo} onFill={fill} />
    </Form>
  )
}

/** Offers the shared demo account. The offer disappears once it has filled in the form. */
function DemoCredentials({
  demo,
  onFill,
}: {
  demo: Credentials | null
  onFill(demo: Credentials): void
}) {
  const [used, setUsed] = useState(false)
  if (!demo || used) {
    return null
  }

  return (
    <section
      aria-labelledby="demo-title"
      className="mt-8 rounded-card border border-line border-dashed bg-sunken p-5"
    >
      <h2 id="demo-title" className="flex items-center gap-2 font-bold">
        <Sparkles aria-hidden="true" size={18} className="text-accent" /> Demo credentials
      </h2>
      <p className="mt-1 text-muted text-sm">
        Look around as a learner with six months of progress.
      </p>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-4">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted">Email</dt>
          <dd className="font-medium">{demo.email}</dd>
          <dt className="text-muted">Password</dt>
          <dd className="font-medium">{demo.password}</dd>
        </dl>
        <Button
          variant="secondary"
          className="noscript:hidden"
          onClick={() => {
            onFill(demo)
            setUsed(true)
          }}
        >
          Use demo credentials
        </Button>
      </div>
    </section>
  )
}
