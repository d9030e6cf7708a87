import { redirect } from 'react-router'
import { accountErrorResponse, accountService } from '~/features/accounts/account-service.server'
import { type AccountFormSuccess, checkForm } from '~/features/accounts/form/form-result'
import { hasPasskey } from '~/features/accounts/passkeys/passkeys.server'
import { createRequestContext } from '~/features/accounts/session/session.server'
import { safeRedirect } from '~/features/accounts/sign-in/sign-in-urls'
import {
  completeSecondStep,
  findSecondStep,
} from '~/features/accounts/two-factor/second-step.server'
import { SecondStepPage } from '~/features/accounts/two-factor/second-step-page'
import { codeForm, secondStepTexts } from '~/features/accounts/two-factor/two-factor-texts'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
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

export async function loader({ request, url }: Route.LoaderArgs) {
  const uid = await findSecondStep(accountService, request.headers)
  if (!uid) {
    throw redirect('/Login?error=second-step-over')
  }

  const byRecoveryCode = url.searchParams.get('with') === 'recovery-code'
  const other = new URLSearchParams(url.searchParams)
  if (byRecoveryCode) {
    other.delete('with')
  } else {
    other.set('with', 'recovery-code')
  }

  const onward = safeRedirect(url.searchParams.get('from'))
  const passkey = await hasPasskey(accountService, uid)

  return { byRecoveryCode, otherAddress: `/SecondStep?${other}`, passkey, onward }
}

export async function action({ request, url }: Route.ActionArgs) {
  const requestContext = createRequestContext(request)
  const { data, errors } = checkForm(codeForm, await readForm(request))
  if (errors) {
    return errorResponse(errors)
  }

  const refusal = await completeSecondStep(accountService, requestContext, data)
  if (refusal === 'second-step-over') {
    throw redirect('/Login?error=second-step-over', 303)
  }

  if (refusal) {
    return accountErrorResponse(refusal, { headers: requestContext.responseCookies })
  }

  const onward = safeRedirect(url.searchParams.get('from'))

  return successResponse<AccountFormSuccess>(
    { onward },
    { page: onward, headers: requestContext.responseCookies },
  )
}

export const clientAction = createClientAction<typeof action>()

export default function SecondStepRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SecondStepPage {...loaderData} result={actionData} />
}
