import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { listOlderActivities } from '~/features/learning/progress/activity-queries.server'
import type { OlderActivitiesResponse } from '~/features/profile/activity-list'
import { db } from '~/server/database/client.server'
import { describeFailedRequest } from '~/ui/connection'
import type { Route } from './+types/activities'

const pageSize = 50

/** A learner's activities before the one named by `?before=`. */
export async function loader({ url, context }: Route.LoaderArgs): Promise<OlderActivitiesResponse> {
  const { uid } = context.get(signedInLearner)
  const before = url.searchParams.get('before') ?? ''
  const activities = await listOlderActivities(db, uid, before, pageSize + 1)

  return { activities: activities.slice(0, pageSize), hasMore: activities.length > pageSize }
}

/** If no answer comes, the list stays, and the button can be pressed again. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch((error): OlderActivitiesResponse => {
    describeFailedRequest(error)
    return { activities: [], hasMore: true }
  })
}
