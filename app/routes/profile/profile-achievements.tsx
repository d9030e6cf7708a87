import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { CertificateList } from '~/features/certificates/certificate-list'
import {
  listCertificates,
  listWaitingCertificates,
} from '~/features/certificates/certificate-queries.server'
import { AchievementsSection } from '~/features/profile/achievements-section'
import { readLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/profile-achievements'

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, displayTimezone } = context.get(signedInLearner)
  const record = await readLearnerRecord(db, uid, { openCourses: 0 })

  return {
    timezone: displayTimezone,
    record,
    certificates: record ? await listCertificates(db, uid) : [],
    waitingCertificates: record ? await listWaitingCertificates(db, uid) : [],
  }
}

export default function ProfileAchievementsRoute({
  loaderData: { record, ...certificateLists },
}: Route.ComponentProps) {
  return (
    <>
      <AchievementsSection record={record} />
      <CertificateList {...certificateLists} />
    </>
  )
}
