import { data } from 'react-router'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { learningContext } from '~/features/certificates/rewards.server'
import { practiceMessages } from '~/features/learning/practice/practice-messages'
import {
  postponedAnswerSchema,
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
  const requestBody = await readJson(request)
  const { data: postponedAnswer } = postponedAnswerSchema.safeParse(requestBody)
  if (!postponedAnswer) {
    return errorResponse(practiceMessages.notAPracticeAnswer)
  }

  if (postponedAnswer.uid !== uid) {
    return data({ refusal: 'other-learner' }, { status: 403 })
  }

  const form = new FormData()
  for (const [name, value] of postponedAnswer.fields) {
    form.append(name, value)
  }

  const submission = readPracticeForm(form)
  if (!submission) {
    return errorResponse(practiceMessages.notAPracticeAnswer)
  }

  const now = await databaseTime(db)
  const answer = { uid, ...submission, timeZone }
  const outcome = await recordPracticeAnswer(learningContext(db), answer, now)

  if (!outcome.feedback) {
    return errorResponse(practiceMessages.problems[outcome.problem])
  }

  return successResponse()
}
