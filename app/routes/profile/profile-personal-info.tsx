import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { PersonalInfoSection } from '~/features/accounts/settings/personal-info-section'
import { SectionHeading } from '~/features/profile/profile-layout'
import { ButtonLink } from '~/ui/button'
import { formatDate } from '~/ui/format-date'
import type { Route } from './+types/profile-personal-info'

export function loader({ context }: Route.LoaderArgs) {
  return context.get(signedInLearner)
}

export default function ProfilePersonalInfoRoute({ loaderData: learner }: Route.ComponentProps) {
  const editButton = (
    <ButtonLink to="/Profile/settings" variant="secondary">
      Edit
    </ButtonLink>
  )

  return (
    <PersonalInfoSection
      learner={learner}
      joinDate={
        learner.createdAt
          ? formatDate(learner.createdAt, learner.displayTimezone)
          : 'Recently joined'
      }
      lastLogin={formatDate(learner.lastLoginAt, learner.displayTimezone)}
      heading={<SectionHeading action={editButton}>Personal Info</SectionHeading>}
    />
  )
}
