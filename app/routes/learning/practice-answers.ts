import { data } from 'react-router'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { learningContext } from '~/features/certificates/finished-work.server'
import {
  notAPracticeAnswer,
  practiceProblems,
} from '~/features/learning/practice/practice-messages'
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

/** Takes a practice answer that was given without a connection and waited in the browser. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid, displayTimezone: timeZone } = context.get(signedInLearner)
  const { data: answer } = postponedAnswer.safeParse(await readJson(request))
  if (!answer) {
    return errorResponse(notAPracticeAnswer)
  }

  if (answer.uid !== uid) {
    return data({ refusal: 'other-learner' }, { status: 403 })
  }

  const form = new FormData()
  for (const [name, value] of answer.fields) {
    form.append(name, value)
  }

  const given = readPracticeForm(form)
  if (!given) {
    return errorResponse(notAPracticeAnswer)
  }

  const outcome = await recordPracticeAnswer(
    learningContext(db),
    { uid, ...given, timeZone },
    await databaseTime(db),
  )

  return outcome.feedback ? successResponse() : errorResponse(practiceProblems[outcome.why])
}
