import { findHolderView } from '~/features/learning/certificate/certificate-queries.server'
import { db } from '~/server/database/client.server'
import { findLearner } from '~/server/session.server'
import type { Route } from './+types/certificate-holder'

/** What the public page of a certificate shows to its holder only; null to everybody else. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const learner = await findLearner(request)
  const holder = learner && (await findHolderView(db, learner.uid, params.id))
  return Response.json({ holder }, { headers: { 'Cache-Control': 'no-store' } })
}
