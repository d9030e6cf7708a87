import { data } from 'react-router'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { learningContext } from '~/features/certificates/rewards.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { submitLessonForm } from '~/features/learning/lessons/submit-lesson-form.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { errorResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import type { Route } from './+types/lesson-notes'

export const middleware = [requireLearner(signedOutResponse)]

/**
 * Saves a note that was added without a connection and has waited in the browser. The form is the
 * same as on the lesson's page.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  if (form.get('uid') !== uid) {
    return data({ refusal: 'other-learner' }, { status: 403 })
  }

  const refusal = findDemoRefusal(uid, 'note')
  if (refusal) {
    return errorResponse(refusal, { status: 403 })
  }

  // The lesson may have been renamed since the note was written.
  const openedLesson = { courseId: params.course, lessonId: params.lesson }
  const renamedLesson = await findCurrentIds(db, openedLesson.courseId, openedLesson.lessonId)
  const lesson = renamedLesson ?? openedLesson

  const now = await databaseTime(db)
  return submitLessonForm(learningContext(db), { uid, ...lesson }, form, now)
}
