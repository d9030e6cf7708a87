import { accountService } from '~/features/accounts/account-service.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { requireConfirmation } from '~/features/accounts/step-up/require-confirmation.server'
import { linkFailure, wayTexts } from '~/features/accounts/ways/way-messages'
import { answerWays, readWays } from '~/features/accounts/ways/ways.server'
import { WaysPage } from '~/features/accounts/ways/ways-page'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/sign-in-ways'

export const middleware: Route.MiddlewareFunction[] = [requireConfirmation]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ title: wayTexts.title, description: wayTexts.intro, path: null, matches })
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const learner = context.get(signedInLearner)
  const error = url.searchParams.get('error')
  const ways = await readWays(accountService, learner)
  const { emailVerified, displayTimezone: timeZone } = learner

  return { ways, emailVerified, timeZone, problem: error === null ? null : linkFailure(error) }
}

export async function action({ request }: Route.ActionArgs) {
  return answerWays(accountService, request, await readForm(request))
}

export const clientAction = createClientAction<typeof action>()

export default function SignInWaysRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <WaysPage {...loaderData} result={actionData} />
}
