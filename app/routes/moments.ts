import * as z from 'zod'
import { requireLearner, signedInLearner } from '~/features/accounts/session/require-learner.server'
import type { TakenMoment } from '~/features/learning/achievement/earned-moment'
import { recordShownMoment, takeMoment } from '~/features/learning/achievement/moment-queries.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import type { Route } from './+types/moments'

/** Pages ask by themselves: once nobody is signed in, nothing waits, and nothing went wrong. */
export const middleware = [requireLearner(() => Response.json(null))]

const shownEvents = z.array(z.string().min(1).max(300)).max(10)

/** Hands out one thing that the learner has achieved and not seen celebrated, or null; or is told that it was `shown`. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const shown = shownEvents.safeParse((await readForm(request)).getAll('shown'))
  if (!shown.success) return Response.json(null, { status: 400 })
  let moment: TakenMoment | null = null
  if (shown.data.length > 0) await recordShownMoment(db, uid, shown.data)
  else moment = await takeMoment(db, uid, new Date())
  return Response.json(moment)
}
