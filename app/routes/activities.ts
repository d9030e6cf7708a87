import { data } from 'react-router'
import { listOlderActivities } from '~/features/learning/course-work/activity-queries.server'
import type { OlderAnswer } from '~/features/learning/profile/older-activities'
import { db } from '~/server/database/client.server'
import { requireLearner } from '~/server/session.server'
import { answerOr } from '~/ui/connection'
import type { Route } from './+types/activities'

const pageSize = 50

/** A learner's activities before the one that `?before=` names. */
export async function loader({ request }: Route.LoaderArgs) {
  const { uid } = await requireLearner(request)
  const before = new URL(request.url).searchParams.get('before') ?? ''
  const found = await listOlderActivities(db, uid, before, pageSize + 1)
  const answer: OlderAnswer = { activities: found.slice(0, pageSize), more: found.length > pageSize }
  return data(answer, { headers: { 'Cache-Control': 'no-store' } })
}

/** Without an answer the list stays as it is, and its button may be pressed again. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return answerOr(serverLoader, (): OlderAnswer => ({ activities: [], more: true }))
}
