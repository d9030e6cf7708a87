import { ButtonLink } from '~/ui/button'
import { SectionHeading } from './profile-layout'

/** For an address that names no section of the profile. */
export function SectionNotFound() {
  return (
    <>
      <SectionHeading intro="Your profile has no section with this address.">Section not found</SectionHeading>
      <ButtonLink to="/Profile">Go to the overview</ButtonLink>
    </>
  )
}
