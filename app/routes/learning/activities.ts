import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { listOlderActivities } from '~/features/learning/progress/activity-queries.server'
import type { OlderActivitiesResponse } from '~/features/profile/activity-list'
import { db } from '~/server/database/client.server'
import { describeFailedRequest } from '~/ui/connection'
import type { Route } from './+types/activities'

const pageSize = 50

/** Returns the learner's activities before the one whose id is in the URL. */
export async function loader({ url, context }: Route.LoaderArgs): Promise<OlderActivitiesResponse> {
  const { uid } = context.get(signedInLearner)
  const beforeId = url.searchParams.get('before') ?? ''
  // One more activity than a page has tells whether there is another page.
  const activities = await listOlderActivities(db, uid, beforeId, pageSize + 1)

  return { activities: activities.slice(0, pageSize), hasMore: activities.length > pageSize }
}

/** If the request fails, the list stays as it is, and the learner can press the button again. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch((error): OlderActivitiesResponse => {
    describeFailedRequest(error)
    return { activities: [], hasMore: true }
  })
}
