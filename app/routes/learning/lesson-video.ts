import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  findVideoUrl,
  signVideoFiles,
} from '~/features/learning/lessons/kinds/video/video-material.server'
import { lessonMessages } from '~/features/learning/lessons/lesson-messages'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/lesson-video'

/**
 * Returns new URLs for the files of a video. Signed URLs expire after a few hours, but a lesson may
 * stay open longer.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const learner = await findLearner(request)
  if (!learner) {
    return notEnrolledResponse()
  }

  const learnerLesson = { uid: learner.uid, courseId: params.course, lessonId: params.lesson }
  const videoUrl = await findVideoUrl(db, learnerLesson)
  if (!videoUrl) {
    return notEnrolledResponse()
  }

  return Response.json(await signVideoFiles(videoUrl, new Date()))
}

function notEnrolledResponse(): Response {
  return Response.json({ message: lessonMessages.enrollForVideo }, { status: 403 })
}
