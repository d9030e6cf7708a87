import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { isPossiblyTruncated } from '~/features/accounts/social/provider-names.server'
import { localDay } from '~/features/learning/progress/study-time'
import { maxOverviewCourses } from '~/features/profile/learner-record'
import { tryGetLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { OverviewSection } from '~/features/profile/overview-section'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/profile-overview'

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, firstName, lastName, provider, emailVerified, displayTimezone } =
    context.get(signedInLearner)
  const now = new Date()
  const wasNameShortened =
    provider !== 'email' && (isPossiblyTruncated(firstName) || isPossiblyTruncated(lastName))
  const record = await tryGetLearnerRecord(db, uid, {
    openCourseLimit: maxOverviewCourses,
    practiceDay: localDay(now, displayTimezone),
  })

  return { firstName, emailVerified, wasNameShortened, record, now }
}

export default function ProfileOverviewRoute({ loaderData }: Route.ComponentProps) {
  return <OverviewSection {...loaderData} />
}
