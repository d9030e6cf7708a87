import { data } from 'react-router'
import { SectionNotFound } from '~/features/profile/profile-layout'

export function loader() {
  return data(null, { status: 404 })
}

export default SectionNotFound
