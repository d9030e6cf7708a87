import { recordDetectedTimezone } from '~/features/accounts/time-zone-queries.server'
import { isSharedDemo } from '~/server/auth/shared-demo.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { findLearner } from '~/server/session.server'
import type { Route } from './+types/time-zone'

/** Takes the time zone of a learner's browser. */
export async function action({ request }: Route.ActionArgs) {
  const learner = await findLearner(request)
  if (!learner) return new Response('You are not signed in.', { status: 401 })
  // Where one visitor of the shared demo is says nothing about the next.
  if (isSharedDemo(learner.uid)) return new Response(null, { status: 204 })
  const timezone = (await readForm(request)).get('timezone')
  const known =
    typeof timezone === 'string' &&
    /^[\w+/-]{1,64}$/.test(timezone) &&
    (await recordDetectedTimezone(db, learner.uid, timezone))
  return known ? new Response(null, { status: 204 }) : new Response('This is no time zone.', { status: 400 })
}
