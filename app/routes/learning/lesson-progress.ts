import { findSessionToken } from '~/features/accounts/session/require-learner.server'
import { learningContext } from '~/features/certificates/rewards.server'
import { recordProgressReport } from '~/features/learning/report/lesson-report.server'
import { db } from '~/server/database/client.server'
import { readJson } from '~/server/http/request-body.server'
import type { Route } from './+types/lesson-progress'

/** Receives the progress reports that browsers send from a lesson. */
export async function action({ request, params }: Route.ActionArgs) {
  const body = await readJson(request)
  const sessionToken = await findSessionToken(request)
  const response = await recordProgressReport(learningContext(db), {
    courseId: params.course,
    lessonId: params.lesson,
    body,
    sessionToken,
  })

  return Response.json(response.body, { status: response.status })
}
