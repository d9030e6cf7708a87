import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { ExamScoresSection } from '~/features/profile/exam-scores-section'
import { readLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/profile-exam-scores'

export async function loader({ context }: Route.LoaderArgs) {
  return {
    record: await readLearnerRecord(db, context.get(signedInLearner).uid, { openCourses: 0 }),
  }
}

export default function ProfileExamScoresRoute({ loaderData }: Route.ComponentProps) {
  return <ExamScoresSection {...loaderData} />
}
