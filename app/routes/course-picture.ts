import { courseNotFound } from '~/features/catalog/course-page/course-messages'
import { findSharePicture } from '~/features/catalog/sharing/share-picture.server'
import { readPublic } from '~/server/database/read-replica.server'
import { tryAgainInAMoment } from '~/server/http/server-messages.server'
import type { Route } from './+types/course-picture'

/** The preview picture of a shared course. */
export async function loader({ params }: Route.LoaderArgs) {
  const picture = await readPublic((db) => findSharePicture(db, params.slug))
  if (picture === null) throw new Response(courseNotFound.sentence, { status: 404 })
  if (picture === 'busy') throw new Response(tryAgainInAMoment, { status: 503, headers: { 'Retry-After': '5' } })
  return new Response(new Uint8Array(picture), {
    headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'public, max-age=3600' },
  })
}
