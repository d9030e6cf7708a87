/**
 * /SecondStep: the second step of a sign-in, in which the learner enters a code of the
 * authenticator app or a recovery code. The parameter `with` chooses the kind of code.
 */
import { Link, redirect, useNavigate } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { accountErrorResponse } from '~/features/accounts/form/account-error-response.server'
import { AccountBanner, AccountPage, FormOutcome } from '~/features/accounts/form/account-page'
import { CodeField } from '~/features/accounts/form/form-fields'
import {
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
} from '~/features/accounts/form/form-result'
import { hasPasskey } from '~/features/accounts/passkeys/passkey-queries.server'
import { PasskeyButton } from '~/features/accounts/passkeys/passkey-sign-in'
import { useAuth } from '~/features/accounts/session/auth-provider'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { safeRedirect } from '~/features/accounts/sign-in/sign-in-urls'
import {
  completeSecondStep,
  findSecondStep,
} from '~/features/accounts/two-factor/second-step.server'
import { codeForm, secondStepTexts } from '~/features/accounts/two-factor/two-factor-texts'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { Button } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/second-step'

export function headers() {
  return { 'Cache-Control': 'no-store' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: secondStepTexts.title,
    description: secondStepTexts.app,
    path: null,
    matches,
  })
}

const secondStepEndedUrl = '/Login?error=second-step-over'

export async function loader({ request, url }: Route.LoaderArgs) {
  const secondStep = await findSecondStep(accountService, request.headers)
  if (!secondStep) {
    throw redirect(secondStepEndedUrl)
  }

  const codeKind = url.searchParams.get('with') === 'recovery-code' ? 'recovery' : 'app'

  return {
    codeKind,
    otherCodeKindUrl: getOtherCodeKindUrl(url, codeKind),
    hasPasskey: await hasPasskey(accountService, secondStep.uid),
    nextUrl: safeRedirect(url.searchParams.get('from')),
  } as const
}

function getOtherCodeKindUrl(url: URL, codeKind: 'app' | 'recovery'): string {
  const query = new URLSearchParams(url.searchParams)
  if (codeKind === 'recovery') {
    query.delete('with')
  } else {
    query.set('with', 'recovery-code')
  }

  return `/SecondStep?${query}`
}

export async function action({ request, url }: Route.ActionArgs) {
  const requestContext = createRequestContext(request)
  const { data, errors } = checkForm(codeForm, await readForm(request))
  if (errors) {
    return errorResponse(errors)
  }

  const error = await completeSecondStep(accountService, requestContext, data)
  if (error === 'second-step-over') {
    throw redirect(secondStepEndedUrl, 303)
  }

  if (error) {
    return accountErrorResponse(error, { headers: requestContext.responseCookies })
  }

  const nextUrl = safeRedirect(url.searchParams.get('from'))

  return successResponse<AccountFormSuccess>(
    { nextUrl },
    { redirectTo: nextUrl, headers: requestContext.responseCookies },
  )
}

export const clientAction = createClientAction<typeof action>()

export default function SecondStepRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SecondStepPage {...loaderData} result={actionData} />
}

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
function SecondStepPage({
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
          <FormOutcome error={form.errors.form} notice={undefined} hasBanner />
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
