import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { isPossiblyTruncated } from '~/features/accounts/social/social-providers.server'
import { localDay } from '~/features/learning/progress/study-time'
import { maxOpenCourses } from '~/features/profile/learner-record'
import { readLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { OverviewSection } from '~/features/profile/overview-section'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/profile-overview'

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, firstName, lastName, provider, emailVerified, displayTimezone } =
    context.get(signedInLearner)
  const now = new Date()
  const recordParts = { openCourses: maxOpenCourses, day: localDay(now, displayTimezone) }
  const wasNameShortened =
    provider !== 'email' && (isPossiblyTruncated(firstName) || isPossiblyTruncated(lastName))

  return {
    firstName,
    emailVerified,
    wasNameShortened,
    record: await readLearnerRecord(db, uid, recordParts),
    now,
  }
}

export default function ProfileOverviewRoute({ loaderData }: Route.ComponentProps) {
  return <OverviewSection {...loaderData} />
}
