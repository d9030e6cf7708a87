/** /Profile/two-step: turn two-step sign-in on or off. It requires a recent sign-in. */
import { accountService } from '~/features/accounts/account-service.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { recentSignInMiddleware } from '~/features/accounts/step-up/require-recent-sign-in.server'
import { isTwoFactorRequired } from '~/features/accounts/two-factor/required-two-factor.server'
import {
  handleTwoFactorForm,
  readTwoFactorStatus,
} from '~/features/accounts/two-factor/two-factor-forms.server'
import { TwoFactorPage } from '~/features/accounts/two-factor/two-factor-page'
import { twoFactorTexts } from '~/features/accounts/two-factor/two-factor-texts'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/two-step'

export const middleware: Route.MiddlewareFunction[] = [recentSignInMiddleware]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: twoFactorTexts.title,
    description: twoFactorTexts.intro,
    path: null,
    matches,
  })
}

export async function loader({ context }: Route.LoaderArgs) {
  const learner = context.get(signedInLearner)
  const twoFactor = await readTwoFactorStatus(accountService, learner)
  const isRequired = await isTwoFactorRequired(accountService.db, learner.uid)

  return {
    twoFactor,
    isRequired,
    isEmailVerified: learner.emailVerified,
    timeZone: learner.displayTimezone,
  }
}

/** The form handler finds the learner by the session, because it may change the session, too. */
export async function action({ request }: Route.ActionArgs) {
  return handleTwoFactorForm(accountService, request, await readForm(request))
}

export const clientAction = createClientAction<typeof action>()

export default function TwoStepRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <TwoFactorPage {...loaderData} result={actionData} />
}
