import { longDateText } from '~/ui/date-text'
import type { PublicCertificate } from './certificate-queries.server'

/** What the page, the picture and the PDF of a certificate say, in the same words. */
export type CertificateText = {
  /** Address of the page. */
  address: string
  name: string
  /** False once it was replaced or withdrawn: no name stands on it and no credential is signed for it. */
  held: boolean
  course: string
  issuedOn: string
  hours: string
  number: string
  state: PublicCertificate['state']
}

/** @param origin PUBLIC_URL. */
export function certificateText(certificate: PublicCertificate, origin: string): CertificateText {
  const { id, name, course, issuedAt, state, replacedBy } = certificate
  return {
    address: `${origin}/Certificate/${id}`,
    name: name ?? (replacedBy ? 'A learner' : 'A former learner'),
    held: name !== null,
    course: course.title,
    issuedOn: longDateText(issuedAt),
    hours: course.hours === 1 ? '1 hour' : `${course.hours} hours`,
    number: id,
    state,
  }
}
