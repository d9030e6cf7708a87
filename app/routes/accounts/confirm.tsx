import { accountService } from '~/features/accounts/account-service.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { safeRedirect } from '~/features/accounts/sign-in/sign-in-urls'
import { confirmTexts } from '~/features/accounts/step-up/confirm-forms'
import { ConfirmPage } from '~/features/accounts/step-up/confirm-page'
import {
  handleConfirmationForm,
  listConfirmationProofs,
} from '~/features/accounts/step-up/confirmation.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/confirm'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: confirmTexts.title,
    description: confirmTexts.intro,
    path: null,
    matches,
  })
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { uid, email } = context.get(signedInLearner)
  const proofs = await listConfirmationProofs(accountService, uid)

  return { email, proofs, nextUrl: getNextUrl(url) }
}

export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  return handleConfirmationForm(accountService, request, { form, nextUrl: getNextUrl(url) })
}

/** Returns the URL of the page that follows the confirmation. */
function getNextUrl(url: URL): string {
  return safeRedirect(url.searchParams.get('from'), '/Profile/settings')
}

export const clientAction = createClientAction<typeof action>()

export default function ConfirmRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmPage {...loaderData} result={actionData} />
}
