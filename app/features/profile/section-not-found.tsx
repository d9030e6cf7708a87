import { ButtonLink } from '~/ui/button'
import { SectionHeading } from './profile-layout'
import { sectionNotFound } from './profile-messages'

/** For an address that names no section of the profile. */
export function SectionNotFound() {
  return (
    <>
      <SectionHeading intro={sectionNotFound.text}>{sectionNotFound.heading}</SectionHeading>
      <ButtonLink to="/Profile">Go to Overview</ButtonLink>
    </>
  )
}
