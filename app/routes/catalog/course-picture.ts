import { courseNotFound } from '~/features/catalog/course-page/course-messages'
import {
  findPictureContents,
  getSharePicture,
} from '~/features/catalog/sharing/share-picture.server'
import { db } from '~/server/database/client.server'
import { readPublic } from '~/server/database/read-replica.server'
import { BusyError } from '~/server/http/limit-concurrency.server'
import { serverMessages } from '~/server/http/server-messages.server'
import type { Route } from './+types/course-picture'

/** /OneCourse/ID/picture.jpg: the preview picture of a course for social networks. */
export async function loader({ params }: Route.LoaderArgs) {
  const course = await readPublic((replica) => findPictureContents(replica, params.slug))
  if (!course) {
    throw new Response(courseNotFound.problem, { status: 404 })
  }

  const picture = await getSharePicture(db, course).catch(throwBusyResponse)

  return new Response(new Uint8Array(picture), {
    headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'public, max-age=3600' },
  })
}

/** @throws 503 if too many pictures are being drawn */
function throwBusyResponse(error: unknown): never {
  if (!(error instanceof BusyError)) {
    throw error
  }

  throw new Response(serverMessages.tryAgainInAMoment, {
    status: 503,
    headers: { 'Retry-After': '5' },
  })
}
