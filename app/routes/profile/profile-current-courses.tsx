import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { CurrentCoursesSection } from '~/features/profile/current-courses-section'
import { tryGetLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/profile-current-courses'

export async function loader({ context }: Route.LoaderArgs) {
  return {
    record: await tryGetLearnerRecord(db, context.get(signedInLearner).uid),
    now: new Date(),
  }
}

export default function ProfileCurrentCoursesRoute({ loaderData }: Route.ComponentProps) {
  return <CurrentCoursesSection {...loaderData} />
}
