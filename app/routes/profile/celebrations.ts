import * as z from 'zod'
import { requireLearner, signedInLearner } from '~/features/accounts/session/require-learner.server'
import {
  findCelebration,
  markCelebrationsSeen,
} from '~/features/achievements/celebration-queries.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/http/request-body.server'
import type { Route } from './+types/celebrations'

/**
 * Pages request celebrations without the learner's doing, so a visitor gets `null` instead of an
 * error.
 */
export const middleware = [requireLearner(() => Response.json(null))]

const seenActivityIds = z.array(z.string().min(1).max(300)).max(10)

/**
 * Marks the activities in the field `shown` as seen. Without the field, the response is the next
 * celebration that the learner has not seen, or null.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  const submission = seenActivityIds.safeParse(form.getAll('shown'))
  if (!submission.success) {
    return Response.json(null, { status: 400 })
  }

  if (submission.data.length === 0) {
    return Response.json(await findCelebration(db, uid))
  }

  await markCelebrationsSeen(db, uid, submission.data)

  return Response.json(null)
}
