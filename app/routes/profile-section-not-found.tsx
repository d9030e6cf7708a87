import { data } from 'react-router'
import { SectionNotFound } from '~/features/profile/section-not-found'

export function loader() {
  return data(null, { status: 404 })
}

export default SectionNotFound
