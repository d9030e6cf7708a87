import { takeAnswer } from '~/features/learning/exam/exam-answer-request.server'
import { db } from '~/server/database/client.server'
import { readJson } from '~/server/request-body.server'
import { findLearner } from '~/server/session.server'
import type { Route } from './+types/exam-answers'

/** Where a browser sends answers of an exam as they are given. */
export async function action({ request }: Route.ActionArgs) {
  const learner = await findLearner(request)
  if (!learner) return Response.json({ outcome: 'signed-out' }, { status: 401 })
  const body = await readJson(request)
  const answer = await takeAnswer(db, learner.uid, body, new Date())
  return Response.json(answer.body, { status: answer.status, headers: { 'Cache-Control': 'no-store' } })
}
