/** /StudyPlan: saves the forms of the weekly goal and its reminder. */
import { redirect } from 'react-router'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { saveStudyPlan } from '~/features/profile/study-plan/study-plan-queries.server'
import { db } from '~/server/database/client.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import type { Route } from './+types/study-plan'

const settingsPath = '/Profile/settings'

/** A browser that opens this URL is redirected to the page with the form. */
export function loader() {
  return redirect(settingsPath)
}

/** Saves the weekly goal or its reminder. A second request with the same form changes nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  const demoProblem = findDemoRefusal(uid, 'profile')
  if (demoProblem) {
    return errorResponse(demoProblem, { status: 403, plainTextWithoutScript: true })
  }

  const result = await saveStudyPlan(db, uid, form)
  if (!result.ok) {
    return errorResponse(result.problem, { plainTextWithoutScript: true })
  }

  const isReminder = form.get('part') === 'reminder'
  const savedSection = isReminder ? '?saved=reminder#email' : '?saved=goal#study'
  return successResponse({}, { redirectTo: settingsPath + savedSection })
}

export const clientAction = createClientAction<typeof action>()
