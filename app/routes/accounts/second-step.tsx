import { redirect } from 'react-router'
import { accountErrorResponse, accountService } from '~/features/accounts/account-service.server'
import { type AccountFormSuccess, checkForm } from '~/features/accounts/form/form-result'
import { hasPasskey } from '~/features/accounts/passkeys/passkeys.server'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
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
