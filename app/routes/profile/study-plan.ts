import { redirect } from 'react-router'
import { demoRefusal } from '~/features/accounts/demo-account.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { saveStudyPlan } from '~/features/profile/study-plan/study-plan-form.server'
import { db } from '~/server/database/client.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import type { Route } from './+types/study-plan'

const settings = '/Profile/settings'

/** A browser that opens this address is sent to the page that has the form. */
export function loader() {
  return redirect(settings)
}

/** Saves the weekly goal or its reminder; repeating it is harmless. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  const page =
    form.get('part') === 'reminder'
      ? `${settings}?saved=reminder#email`
      : `${settings}?saved=goal#study`
  const refused = demoRefusal(uid, 'profile')
  if (refused) {
    return errorResponse(refused, { status: 403, page })
  }

  const problem = await saveStudyPlan(db, uid, form)

  return problem ? errorResponse(problem, { page }) : successResponse({}, { page })
}

export const clientAction = createClientAction<typeof action>()
