import { refuseVisitor, requireLearner, signedInLearner } from '~/features/accounts/session/require-learner.server'
import type { EarnedMoment } from '~/features/learning/achievement/earned-moment'
import { takeMoments } from '~/features/learning/achievement/moment-queries.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/moments'

export const middleware = [requireLearner(refuseVisitor)]

/** Hands out what the learner has achieved since the last time, once. */
export async function action({ context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const moments: EarnedMoment[] = await takeMoments(db, uid)
  return Response.json(moments, { headers: { 'Cache-Control': 'no-store' } })
}
