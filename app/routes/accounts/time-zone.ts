import { recordDetectedTimezone } from '~/features/accounts/account-queries.server'
import { isSharedDemo } from '~/features/accounts/demo-account.server'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { rescheduleReminder } from '~/features/profile/study-plan/study-plan-queries.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/http/request-body.server'
import { unknownTimeZone } from '~/server/http/server-messages.server'
import type { Route } from './+types/time-zone'

export const middleware = [requireLearner(signedOutResponse)]

/** Takes the time zone of a learner's browser. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  // One demo visitor's time zone says nothing about the next visitor's.
  if (isSharedDemo(uid)) {
    return new Response(null, { status: 204 })
  }

  const timezone = (await readForm(request)).get('timezone')
  const known =
    typeof timezone === 'string' &&
    /^[\w+/-]{1,64}$/.test(timezone) &&
    (await recordDetectedTimezone(db, uid, timezone))
  if (!known) {
    return new Response(unknownTimeZone, { status: 400 })
  }

  await rescheduleReminder(db, uid)

  return new Response(null, { status: 204 })
}
