import { ButtonLink } from '~/ui/button'
import { SectionHeading } from './profile-layout'

/** For an address that names no section of the profile. */
export function SectionNotFound() {
  return (
    <>
      <SectionHeading intro="We couldn’t find that section of your profile.">Section not found</SectionHeading>
      <ButtonLink to="/Profile">Go to Overview</ButtonLink>
    </>
  )
}
