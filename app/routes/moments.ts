import { refuseVisitor, requireLearner, signedInLearner } from '~/features/accounts/session/require-learner.server'
import type { EarnedMoment } from '~/features/learning/achievement/earned-moment'
import { takeMoment } from '~/features/learning/achievement/moment-queries.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/moments'

export const middleware = [requireLearner(refuseVisitor)]

/** Hands out one thing that the learner has achieved and not seen celebrated, or null. */
export async function action({ context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const moment: EarnedMoment | null = await takeMoment(db, uid)
  return Response.json(moment, { headers: { 'Cache-Control': 'no-store' } })
}
