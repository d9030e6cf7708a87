import { courseNotFound } from '~/features/catalog/course-page/course-messages'
import { findSharedCourse, sharePicture } from '~/features/catalog/sharing/share-picture.server'
import { db } from '~/server/database/client.server'
import { readPublic } from '~/server/database/read-replica.server'
import { BusyError } from '~/server/http/limit-concurrency.server'
import { tryAgainInAMoment } from '~/server/http/server-messages.server'
import type { Route } from './+types/course-picture'

/** The preview picture of a shared course. */
export async function loader({ params }: Route.LoaderArgs) {
  const course = await readPublic((replica) => findSharedCourse(replica, params.slug))
  if (!course) {
    throw new Response(courseNotFound.sentence, { status: 404 })
  }

  const picture = await sharePicture(db, course).catch(answerBusy)

  return new Response(new Uint8Array(picture), {
    headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'public, max-age=3600' },
  })
}

function answerBusy(error: unknown): never {
  if (!(error instanceof BusyError)) {
    throw error
  }

  throw new Response(tryAgainInAMoment, { status: 503, headers: { 'Retry-After': '5' } })
}
