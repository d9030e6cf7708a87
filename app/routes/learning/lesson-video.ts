import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  findVideo,
  signVideoFiles,
} from '~/features/learning/lessons/kinds/video/video-material.server'
import { enrollForVideo } from '~/features/learning/lessons/lesson-messages'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/lesson-video'

/**
 * New addresses for a video whose old ones no longer work: a lesson stays open longer than they do.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const learner = await findLearner(request)
  const place = { uid: learner?.uid ?? '', courseId: params.course, lessonId: params.lesson }
  const video = learner && (await findVideo(db, place))
  if (!video) {
    return Response.json({ message: enrollForVideo }, { status: 403 })
  }

  return Response.json(await signVideoFiles(video, new Date()))
}
