import { data } from 'react-router'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { learningContext } from '~/features/certificates/rewards.server'
import { practiceMessages } from '~/features/learning/practice/practice-messages'
import {
  postponedAnswer,
  readPracticeForm,
  recordPracticeAnswer,
} from '~/features/learning/practice/record-practice-answer.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readJson } from '~/server/http/request-body.server'
import type { Route } from './+types/practice-answers'

export const middleware = [requireLearner(signedOutResponse)]

/** Records a practice answer that was given without a connection and has waited in the browser. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid, displayTimezone: timeZone } = context.get(signedInLearner)
  const { data: postponed } = postponedAnswer.safeParse(await readJson(request))
  if (!postponed) {
    return errorResponse(practiceMessages.notAPracticeAnswer)
  }

  if (postponed.uid !== uid) {
    return data({ refusal: 'other-learner' }, { status: 403 })
  }

  const form = new FormData()
  for (const [name, value] of postponed.fields) {
    form.append(name, value)
  }

  const submission = readPracticeForm(form)
  if (!submission) {
    return errorResponse(practiceMessages.notAPracticeAnswer)
  }

  const outcome = await recordPracticeAnswer(
    learningContext(db),
    { uid, ...submission, timeZone },
    await databaseTime(db),
  )

  if (!outcome.feedback) {
    return errorResponse(practiceMessages.practiceProblems[outcome.problem])
  }

  return successResponse()
}
