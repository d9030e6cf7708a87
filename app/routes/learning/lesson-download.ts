import { redirect } from 'react-router'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  findDownload,
  lessonUnavailableResponse,
} from '~/features/learning/lessons/load-lesson-page.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/lesson-download'

/**
 * Redirects to a file of a lesson. The file's own URL is signed and works for a few hours only.
 * Viewers who may not download it are redirected to the course page.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const { course, lesson, file } = params
  const learner = await findLearner(request)
  if (!learner) {
    return lessonUnavailableResponse(db, null, course, lesson)
  }

  const { uid } = learner
  const learnerLesson = { uid, courseId: course, lessonId: lesson }
  const signedUrl = await findDownload(db, learnerLesson, file, new Date())
  if (!signedUrl) {
    return lessonUnavailableResponse(db, uid, course, lesson)
  }

  return redirect(signedUrl, { headers: { 'Cache-Control': 'no-store' } })
}
