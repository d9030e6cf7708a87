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

/** Stores an answer of an exam. Browsers send each answer as soon as it is given. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const requestBody = await readJson(request)
  const now = await databaseTime(db)

  const { status, body } = await recordAnswerFromRequest(db, uid, requestBody, now)
  return data(body, { status })
}
