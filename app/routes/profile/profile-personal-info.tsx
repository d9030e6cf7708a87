import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { PersonalInfoSection } from '~/features/accounts/settings/personal-info-section'
import { SectionHeading } from '~/features/profile/profile-layout'
import { ButtonLink } from '~/ui/button'
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
      heading={<SectionHeading action={editButton}>Personal Info</SectionHeading>}
    />
  )
}
