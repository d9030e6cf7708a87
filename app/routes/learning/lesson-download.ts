import { redirect } from 'react-router'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  findDownload,
  lessonUnavailableResponse,
} from '~/features/learning/lessons/load-lesson-page.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/lesson-download'

/**
 * Leads to a file of a lesson, whose own address works for some hours only; others are led to the
 * course page.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const { course, lesson, file } = params
  const learner = await findLearner(request)
  const place = { uid: learner?.uid ?? '', courseId: course, lessonId: lesson }
  const address = learner && (await findDownload(db, place, file, new Date()))
  if (address) {
    return redirect(address, { headers: { 'Cache-Control': 'no-store' } })
  }

  return lessonUnavailableResponse(db, learner?.uid ?? null, course, lesson)
}
