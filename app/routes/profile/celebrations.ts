import * as z from 'zod'
import { requireLearner, signedInLearner } from '~/features/accounts/session/require-learner.server'
import {
  findCelebration,
  recordCelebrationSeen,
} from '~/features/achievements/achievement-queries.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/http/request-body.server'
import type { Route } from './+types/celebrations'

/** Pages ask by themselves, so a visitor gets an empty answer instead of an error. */
export const middleware = [requireLearner(() => Response.json(null))]

const shownEvents = z.array(z.string().min(1).max(300)).max(10)

/**
 * Without `shown`: the next celebration that the learner has not seen, or null. With it: marks
 * these events as seen.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const shown = shownEvents.safeParse((await readForm(request)).getAll('shown'))
  if (!shown.success) {
    return Response.json(null, { status: 400 })
  }

  if (shown.data.length === 0) {
    return Response.json(await findCelebration(db, uid))
  }

  await recordCelebrationSeen(db, uid, shown.data)

  return Response.json(null)
}
