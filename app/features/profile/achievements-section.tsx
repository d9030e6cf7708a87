import { Check } from 'lucide-react'
import { AchievementIcon } from '~/features/achievements/achievement-icon'
import {
  type AchievementDefinition,
  type AchievementFacts,
  achievementDefinitions,
} from '~/features/achievements/achievements'
import { ProgressBar } from '~/ui/progress-bar'
import type { LearnerRecord } from './learner-record'
import { RecordNotice, SectionHeading } from './profile-layout'
import { achievementProgressLabel, achievementsIntro, earnedOn } from './profile-messages'

/** @param record null when it could not be read just now. */
export function AchievementsSection({ record }: { record: LearnerRecord | null }) {
  return (
    <>
      <SectionHeading
        intro={
          record && achievementsIntro(record.achievements.length, achievementDefinitions.length)
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
              earnedAt={
                record.achievements.find(({ id }) => id === definition.id)?.earnedAt ?? null
              }
              facts={record.achievementFacts}
              timezone={record.displayTimezone}
            />
          ))}
        </ul>
      ) : (
        <RecordNotice />
      )}
    </>
  )
}

type AchievementCardProps = {
  definition: AchievementDefinition
  earnedAt: string | null
  facts: AchievementFacts
  timezone: string
}

function AchievementCard({ definition, earnedAt, facts, timezone }: AchievementCardProps) {
  const { icon, name, description, progress, further } = definition
  const { now, goal, text } = earnedAt ? further(facts) : progress(facts)

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
            <Check aria-hidden="true" size={18} /> {earnedOn(earnedAt, timezone)}
          </p>
        )}
        <ProgressBar
          percent={Math.floor((now / goal) * 100)}
          label={achievementProgressLabel(name, earnedAt !== null)}
        />
        <p className="mt-2 text-muted text-sm">{text}</p>
      </div>
    </li>
  )
}
