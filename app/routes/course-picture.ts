import { findSharePicture } from '~/features/catalogue/share-pictures.server'
import { readPublic } from '~/server/database/read-replica.server'
import type { Route } from './+types/course-picture'

/** What social networks show of a shared course. */
export async function loader({ params }: Route.LoaderArgs) {
  const picture = await readPublic((db) => findSharePicture(db, params.slug))
  if (picture === null) throw new Response('We couldn’t find that course.', { status: 404 })
  if (picture === 'busy') throw new Response('Try again in a moment.', { status: 503, headers: { 'Retry-After': '5' } })
  return new Response(new Uint8Array(picture), {
    headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'public, max-age=3600' },
  })
}
