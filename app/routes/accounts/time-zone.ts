import * as z from 'zod'
import { isSharedDemo } from '~/features/accounts/demo-account.server'
import { recordDetectedTimezone } from '~/features/accounts/detected-time-zone.server'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { rescheduleReminder } from '~/features/profile/study-plan/study-plan-queries.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import type { Route } from './+types/time-zone'

export const middleware = [requireLearner(signedOutResponse)]

const timeZoneForm = z.object({
  timezone: z.string().regex(/^[\w+/-]{1,64}$/),
  offsetMinutes: z.optional(
    z.coerce
      .number()
      .int()
      .min(-14 * 60)
      .max(14 * 60),
  ),
})

/** Stores the time zone of the learner's browser. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  // One demo visitor's time zone says nothing about the next visitor's.
  if (isSharedDemo(uid)) {
    return new Response(null, { status: 204 })
  }

  const form = await readForm(request)
  const { data } = timeZoneForm.safeParse(Object.fromEntries(form))
  if (!data) {
    return unknownTimeZoneResponse()
  }

  const { timezone: name, offsetMinutes = null } = data
  const isRecorded = await recordDetectedTimezone(db, uid, { name, offsetMinutes })
  if (!isRecorded) {
    return unknownTimeZoneResponse()
  }

  await rescheduleReminder(db, uid)

  return new Response(null, { status: 204 })
}

function unknownTimeZoneResponse(): Response {
  return new Response(serverMessages.unknownTimeZone, { status: 400 })
}
