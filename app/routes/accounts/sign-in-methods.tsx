/** /Profile/sign-in: add, rename and remove sign-in methods. It requires a recent sign-in. */
import { accountService } from '~/features/accounts/account-service.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import {
  getProviderLinkError,
  signInMethodTexts,
} from '~/features/accounts/sign-in-methods/sign-in-method-texts'
import {
  handleSignInMethodForm,
  readSignInMethods,
} from '~/features/accounts/sign-in-methods/sign-in-methods.server'
import { SignInMethodsPage } from '~/features/accounts/sign-in-methods/sign-in-methods-page'
import { recentSignInMiddleware } from '~/features/accounts/step-up/require-recent-sign-in.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/sign-in-methods'

export const middleware: Route.MiddlewareFunction[] = [recentSignInMiddleware]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: signInMethodTexts.title,
    description: signInMethodTexts.intro,
    path: null,
    matches,
  })
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const learner = context.get(signedInLearner)
  const error = url.searchParams.get('error')
  const signInMethods = await readSignInMethods(accountService, learner)
  const { emailVerified, displayTimezone: timeZone } = learner

  return {
    signInMethods,
    emailVerified,
    timeZone,
    linkError: error === null ? null : getProviderLinkError(error),
  }
}

export async function action({ request }: Route.ActionArgs) {
  return handleSignInMethodForm(accountService, request, await readForm(request))
}

export const clientAction = createClientAction<typeof action>()

export default function SignInMethodsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignInMethodsPage {...loaderData} result={actionData} />
}
