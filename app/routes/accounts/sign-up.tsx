/**
 * /SignUp: create an account by a provider, or with email and password. The parameter `from` is the
 * path of the page that follows.
 */
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  afterSubmitErrorMessages,
  unexpectedErrorMessages,
} from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { accountErrorResponse } from '~/features/accounts/form/account-error-response.server'
import {
  AccountBanner,
  AccountPage,
  FormOutcome,
  OrByEmailLine,
  SignedInHint,
  SingleSignOnOnlyHint,
} from '~/features/accounts/form/account-page'
import { EmailField, NameFields, NewPasswordFields } from '~/features/accounts/form/form-fields'
import {
  type AccountForm,
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
  failedAccountFormResponse,
} from '~/features/accounts/form/form-result'
import { signUpForm } from '~/features/accounts/form/form-schemas'
import { useAuth } from '~/features/accounts/session/auth-provider'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { safeRedirect } from '~/features/accounts/sign-in/sign-in-urls'
import { registerAccount } from '~/features/accounts/sign-up/registration.server'
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
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/sign-up'

/**
 * The page itself is the same for everyone. A submitted form has its own headers, which forbid
 * caching.
 */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has('Cache-Control') ? actionHeaders : publicPageHeaders()
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Create a free ${siteName()} account with your email, Google or Facebook, and start learning today.`
  return pageMeta({ title: 'Sign up', description, path: '/SignUp', matches })
}

export function loader() {
  return { ...listOfferedProviders(accountService), passwordMinLength: env.PASSWORD_MIN_LENGTH }
}

export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  const { data, errors } = checkForm(signUpForm(env.PASSWORD_MIN_LENGTH), form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const requestContext = createRequestContext(request)
  const error = await registerAccount(accountService, requestContext, data)
  if (error) {
    return accountErrorResponse(error, { form, headers: requestContext.responseCookies })
  }

  const nextUrl = safeRedirect(url.searchParams.get('from'))

  return successResponse<AccountFormSuccess>(
    { nextUrl },
    { redirectTo: nextUrl, headers: requestContext.responseCookies },
  )
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error) =>
    failedAccountFormResponse(error, unexpectedErrorMessages.register),
  )
}

export default function SignUpRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignUpPage signUpOptions={loaderData} result={actionData} />
}

type SignUpPageProps = {
  signUpOptions: {
    socialProviders: SignInProvider[]
    isSingleSignOnOnly: boolean
    passwordMinLength: number
  }
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

function SignUpPage({ signUpOptions, result }: SignUpPageProps) {
  const { socialProviders, isSingleSignOnOnly, passwordMinLength } = signUpOptions
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const returnPath = safeRedirect(parameters.get('from'))
  const form = useForm<AccountFormSuccess>({
    async validate(formData) {
      // The validation library is loaded only when it is needed. The other import is for the
      // server.
      const formSchemas = await import('~/features/accounts/form/form-schemas')
      return checkForm(formSchemas.signUpForm(passwordMinLength), formData).errors
    },
    initialResult: result,
    async onSuccess({ nextUrl }) {
      if (nextUrl) {
        await refresh()
        await navigate(nextUrl)
      }
    },
    onSuccessFailed: afterSubmitErrorMessages.register,
  })

  return (
    <AccountPage
      title="Create your account"
      intro={<SignedInHint>It’s free and takes a minute.</SignedInHint>}
    >
      <AccountBanner form={form} />
      <SocialButtons
        providers={socialProviders}
        returnPath={returnPath}
        onSignedIn={() => navigate(returnPath)}
      />
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
          to={
            parameters.has('from')
              ? `/Login?${new URLSearchParams({ from: returnPath })}`
              : '/Login'
          }
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
        <FormOutcome error={form.errors.form} notice={form.notice} hasBanner />
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
