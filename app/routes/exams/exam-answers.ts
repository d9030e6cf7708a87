import { data } from 'react-router'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { recordAnswerFromRequest } from '~/features/exams/attempt/answer-queries.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { readJson } from '~/server/http/request-body.server'
import type { Route } from './+types/exam-answers'

export const middleware = [requireLearner(signedOutResponse)]

/** Where a browser sends answers of an exam as they are given. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const answer = await recordAnswerFromRequest(
    db,
    uid,
    await readJson(request),
    await databaseTime(db),
  )
  return data(answer.body, { status: answer.status })
}
