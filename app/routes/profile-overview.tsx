import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { openCoursesShown } from '~/features/learning/profile/learner-record'
import { readLearnerRecord } from '~/features/learning/profile/learner-record-queries.server'
import { OverviewSection } from '~/features/learning/profile/overview-section'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/profile-overview'

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, firstName } = context.get(signedInLearner)
  return { firstName, record: await readLearnerRecord(db, uid, { openCourses: openCoursesShown }), now: new Date() }
}

export default function ProfileOverviewRoute({ loaderData }: Route.ComponentProps) {
  return <OverviewSection {...loaderData} />
}
