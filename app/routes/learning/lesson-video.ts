import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  findVideo,
  signVideoFiles,
} from '~/features/learning/lessons/kinds/video/video-material.server'
import { enrollForVideo } from '~/features/learning/lessons/lesson-messages'
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
  const video = await findVideo(db, learnerLesson)
  if (!video) {
    return notEnrolledResponse()
  }

  return Response.json(await signVideoFiles(video, new Date()))
}

function notEnrolledResponse(): Response {
  return Response.json({ message: enrollForVideo }, { status: 403 })
}
