/**
 * /Login: sign in by a provider, with a passkey, or with email and password. The page also sends a
 * link to set a new password. The parameter `from` is the path of the page that follows the
 * sign-in.
 */
import { Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  afterSubmitErrorMessages,
  resetEmailSentMessage,
  toFormErrors,
  unexpectedErrorMessages,
} from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { demoCredentials } from '~/features/accounts/demo-account.server'
import { accountErrorResponse } from '~/features/accounts/form/account-error-response.server'
import {
  AccountBanner,
  AccountPage,
  FormOutcome,
  OrByEmailLine,
  SignedInHint,
  SingleSignOnOnlyHint,
} from '~/features/accounts/form/account-page'
import { EmailField, PasswordField } from '~/features/accounts/form/form-fields'
import { findNotice } from '~/features/accounts/form/form-messages'
import {
  type AccountForm,
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
  failedAccountFormResponse,
} from '~/features/accounts/form/form-result'
import { forgottenPasswordForm, loginForm } from '~/features/accounts/form/form-schemas'
import { PasskeyButton, usePasskeysInField } from '~/features/accounts/passkeys/passkey-sign-in'
import { requestPasswordReset } from '~/features/accounts/password/password-reset.server'
import { useAuth } from '~/features/accounts/session/auth-provider'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { signIn } from '~/features/accounts/sign-in/sign-in.server'
import { safeRedirect, secondStepUrl } from '~/features/accounts/sign-in/sign-in-urls'
import { SocialButtons } from '~/features/accounts/social/social-buttons'
import type { SignInProvider } from '~/features/accounts/social/social-providers.server'
import { listOfferedProviders } from '~/features/accounts/social/social-sign-in.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/login'

/**
 * The page itself is the same for everyone. A submitted form has its own headers, which forbid
 * caching.
 */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has('Cache-Control') ? actionHeaders : publicPageHeaders()
}

export function meta({ matches, location }: Route.MetaArgs) {
  const notice = findNotice(new URLSearchParams(location.search).get('notice'))
  const description = `Sign in to ${siteName()} with your email, Google or Facebook, and pick up where you left off.`
  return pageMeta({ title: notice?.heading ?? 'Login', description, path: '/Login', matches })
}

export function loader() {
  return {
    ...listOfferedProviders(accountService),
    demoCredentials: env.DEMO_ACCOUNT ? demoCredentials : null,
  }
}

/** The form has two buttons: one signs in, and one emails a link to set a new password. */
export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  if (form.get('intent') === 'forgot') {
    return submitForgottenPassword(request, form)
  }

  return submitLogin(request, form, safeRedirect(url.searchParams.get('from')))
}

async function submitForgottenPassword(request: Request, form: FormData) {
  const { data, errors } = checkForm(forgottenPasswordForm, form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const error = await requestPasswordReset(accountService, createRequestContext(request), data)
  if (error) {
    return accountErrorResponse(error, { form })
  }

  return successResponse<AccountFormSuccess>({ notice: resetEmailSentMessage })
}

/** @param from the path of the page from which the visitor came */
async function submitLogin(request: Request, form: FormData, from: string) {
  const { data, errors } = checkForm(loginForm, form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const requestContext = createRequestContext(request)
  const error = await signIn(accountService, requestContext, data)
  if (error && error !== 'second-step') {
    return accountErrorResponse(error, { form, headers: requestContext.responseCookies })
  }

  const nextUrl = error === 'second-step' ? secondStepUrl(from) : from

  return successResponse<AccountFormSuccess>(
    { nextUrl },
    { redirectTo: nextUrl, headers: requestContext.responseCookies },
  )
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData()
  const operation = form.get('intent') === 'forgot' ? 'resetPassword' : 'login'

  return serverAction().catch((error) =>
    failedAccountFormResponse(error, unexpectedErrorMessages[operation]),
  )
}

export default function LoginRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <LoginPage signInOptions={loaderData} result={actionData} />
}

type Credentials = { email: string; password: string }

type LoginPageProps = {
  signInOptions: {
    socialProviders: SignInProvider[]
    isSingleSignOnOnly: boolean
    /** Null if there is no demo account. */
    demoCredentials: Credentials | null
  }
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

function LoginPage({ signInOptions, result }: LoginPageProps) {
  const { socialProviders, isSingleSignOnOnly, demoCredentials } = signInOptions
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const notice = findNotice(parameters.get('notice'))
  const returnPath = safeRedirect(parameters.get('from'))
  const form = useForm<AccountFormSuccess>({
    validate: validateLogin,
    initialResult: result ?? createErrorResult(parameters.get('error')),
    async onSuccess({ nextUrl }) {
      if (nextUrl) {
        await refresh()
        await navigate(nextUrl)
      }
    },
    onSuccessFailed: afterSubmitErrorMessages.login,
  })

  const offerPasskeys = usePasskeysInField(() => navigate(returnPath))

  // What the notice is about may have ended this browser's session, too.
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
        providers={socialProviders}
        returnPath={returnPath}
        onSignedIn={() => navigate(returnPath)}
      />
      {isSingleSignOnOnly ? (
        <SingleSignOnOnlyHint />
      ) : (
        <>
          <div className="mt-3">
            <PasskeyButton onSignedIn={() => navigate(returnPath)} />
          </div>
          <div className={socialProviders.length === 0 ? 'noscript:hidden' : undefined}>
            <OrByEmailLine />
          </div>
          <LoginForm
            form={form}
            demoCredentials={demoCredentials}
            submittedValues={result?.done ? {} : result?.submittedValues}
            onEmailFocus={offerPasskeys}
          />
        </>
      )}
      <p className="mt-8 text-center text-muted">
        New to {siteName()}?{' '}
        <Link
          to={
            parameters.has('from')
              ? `/SignUp?${new URLSearchParams({ from: returnPath })}`
              : '/SignUp'
          }
          className="link"
        >
          Create an account
        </Link>
      </p>
    </AccountPage>
  )
}

/** Checks the form. Its schemas are loaded only when the form is sent. */
async function validateLogin(formData: FormData) {
  const { forgottenPasswordForm, loginForm } = await import('~/features/accounts/form/form-schemas')
  const schema = formData.get('intent') === 'forgot' ? forgottenPasswordForm : loginForm

  return checkForm(schema, formData).errors
}

/** Returns the result that shows an error code from the URL. A redirect put it there. */
function createErrorResult(errorCode: string | null): AccountFormResult | undefined {
  if (errorCode === null) {
    return undefined
  }

  return { done: false, errors: {}, banner: toFormErrors(errorCode).banner }
}

type LoginFormProps = {
  form: AccountForm
  demoCredentials: Credentials | null
  submittedValues?: Record<string, string>
  onEmailFocus(): void
}

function LoginForm({ form, demoCredentials, submittedValues, onEmailFocus }: LoginFormProps) {
  function fillIn(credentials: Credentials) {
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
        {/* The Enter key presses the first button, which must not be 'Forgot password?'. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
          Enter
        </button>
        <EmailField
          submittedEmail={submittedValues?.email}
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
        <FormOutcome error={form.errors.form} notice={form.notice} hasBanner />
        <Button type="submit" className="min-h-12 w-full">
          {form.isBusy && form.pendingIntent !== 'forgot' ? 'Signing In...' : 'Sign In'}
        </Button>
      </fieldset>
      {demoCredentials && <DemoCredentials credentials={demoCredentials} onUse={fillIn} />}
    </Form>
  )
}

type DemoCredentialsProps = { credentials: Credentials; onUse(credentials: Credentials): void }

/** Offers the shared demo account. The offer disappears once it was used. */
function DemoCredentials({ credentials, onUse }: DemoCredentialsProps) {
  const [isUsed, setIsUsed] = useState(false)
  if (isUsed) {
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
          <dd className="font-medium">{credentials.email}</dd>
          <dt className="text-muted">Password</dt>
          <dd className="font-medium">{credentials.password}</dd>
        </dl>
        <Button
          variant="secondary"
          className="noscript:hidden"
          onClick={() => {
            onUse(credentials)
            setIsUsed(true)
          }}
        >
          Use demo credentials
        </Button>
      </div>
    </section>
  )
}
