import { Check } from 'lucide-react'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { AchievementIcon } from '~/features/achievements/achievement-icon'
import {
  type AchievementDefinition,
  type AchievementStatistics,
  achievementDefinitions,
} from '~/features/achievements/achievements'
import { CertificateList } from '~/features/certificates/certificate-list'
import {
  listCertificates,
  listWaitingCertificates,
} from '~/features/certificates/certificate-queries.server'
import type { LearnerRecord } from '~/features/profile/learner-record'
import {
  tryGetLearnerRecord,
  withoutCoursesAndLists,
} from '~/features/profile/learner-record-queries.server'
import { RecordErrorNotice, SectionHeading } from '~/features/profile/profile-layout'
import { db } from '~/server/database/client.server'
import { formatDate } from '~/ui/format-date'
import { ProgressBar } from '~/ui/progress-bar'
import type { Route } from './+types/profile-achievements'

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, displayTimezone } = context.get(signedInLearner)
  const record = await tryGetLearnerRecord(db, uid, withoutCoursesAndLists)

  if (record === null) {
    return { timezone: displayTimezone, record, certificates: [], waitingCertificates: [] }
  }

  const [certificates, waitingCertificates] = await Promise.all([
    listCertificates(db, uid),
    listWaitingCertificates(db, uid),
  ])
  return { timezone: displayTimezone, record, certificates, waitingCertificates }
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

/** @param record null if the record could not be loaded */
function AchievementsSection({ record }: { record: LearnerRecord | null }) {
  return (
    <>
      <SectionHeading
        intro={
          record &&
          formatAchievementsIntro(record.achievements.length, achievementDefinitions.length)
        }
      >
        Achievements
      </SectionHeading>
      {record ? (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {achievementDefinitions.map((definition) => (
            <AchievementCard
              key={definition.id}
              definition={definition}
              earnedAt={findEarnedDate(record, definition)}
              statistics={record.achievementStatistics}
              timezone={record.displayTimezone}
            />
          ))}
        </ul>
      ) : (
        <RecordErrorNotice />
      )}
    </>
  )
}

function findEarnedDate(record: LearnerRecord, definition: AchievementDefinition): string | null {
  const earnedAchievement = record.achievements.find(({ id }) => id === definition.id)
  return earnedAchievement?.earnedAt ?? null
}

type AchievementCardProps = {
  definition: AchievementDefinition
  earnedAt: string | null
  statistics: AchievementStatistics
  timezone: string
}

function AchievementCard({ definition, earnedAt, statistics, timezone }: AchievementCardProps) {
  const { icon, name, description } = definition
  const { count, goal, text } = earnedAt
    ? definition.getFurtherProgress(statistics)
    : definition.getProgress(statistics)

  return (
    <li className="card flex flex-col p-5 sm:p-6">
      <span
        aria-hidden="true"
        className={`grid size-14 place-items-center rounded-full ${earnedAt ? 'bg-accent text-on-accent' : 'bg-sunken text-muted'}`}
      >
        <AchievementIcon icon={icon} size={26} />
      </span>
      <h2 className="mt-4 font-bold text-lg">{name}</h2>
      <p className="mt-1 mb-5 text-muted">{description}</p>
      <div className="mt-auto">
        {earnedAt && (
          <p className="mb-4 flex items-center gap-2 font-semibold text-good">
            <Check aria-hidden="true" size={18} /> {`Earned ${formatDate(earnedAt, timezone)}`}
          </p>
        )}
        <ProgressBar
          percent={Math.floor((count / goal) * 100)}
          label={formatProgressLabel(name, earnedAt !== null)}
        />
        <p className="mt-2 text-muted text-sm">{text}</p>
      </div>
    </li>
  )
}

function formatAchievementsIntro(earnedCount: number, totalCount: number): string {
  if (earnedCount === 0) {
    return `${totalCount} achievements to earn. See how close you are to each one.`
  }

  return earnedCount === totalCount
    ? `You’ve earned all ${totalCount}.`
    : `${earnedCount} of ${totalCount} earned. See how close you are to the rest.`
}

function formatProgressLabel(name: string, isEarned: boolean): string {
  return isEarned ? `Next step after ${name}` : `Progress toward ${name}`
}
