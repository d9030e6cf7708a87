import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { mayBeCut } from '~/features/accounts/social/social-providers.server'
import { localDay } from '~/features/learning/progress/study-time'
import { openCoursesShown } from '~/features/profile/learner-record'
import { readLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { OverviewSection } from '~/features/profile/overview-section'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/profile-overview'

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, firstName, lastName, provider, emailVerified, displayTimezone } =
    context.get(signedInLearner)
  const now = new Date()
  const shown = { openCourses: openCoursesShown, day: localDay(now, displayTimezone) }
  const nameWasCut = provider !== 'email' && (mayBeCut(firstName) || mayBeCut(lastName))

  return {
    firstName,
    emailVerified,
    nameWasCut,
    record: await readLearnerRecord(db, uid, shown),
    now,
  }
}

export default function ProfileOverviewRoute({ loaderData }: Route.ComponentProps) {
  return <OverviewSection {...loaderData} />
}
