import { scorePercent } from '~/features/exams/grade'
import { longDateText } from '~/ui/date-text'
import { certifiedLength, certifiedWork, examScore, noName } from './certificate-messages'
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
  /** What the learner did, before the course's title. */
  sentence: string
  /** Like '17 lessons, 42 min': what was completed, and how long that material is; null for none. */
  lessons: string | null
  /** Like '7 of 8 right (87%)'. */
  exam: string
  number: string
  state: PublicCertificate['state']
}

/** @param origin PUBLIC_URL. */
export function certificateText(certificate: PublicCertificate, origin: string): CertificateText {
  const { id, name, course, work, issuedAt, timezone, state, replacedBy } = certificate
  const result = { score: work.examScore, maxScore: work.examMaxScore }
  return {
    address: `${origin}/Certificate/${id}`,
    name: name ?? (replacedBy ? noName.holder : noName.former),
    held: name !== null,
    course: course.title,
    issuedOn: longDateText(issuedAt, timezone),
    sentence: certifiedWork(work.lessons),
    lessons: lessonsText(work),
    exam: examScore(result.score, result.maxScore, scorePercent(result)),
    number: id,
    state,
  }
}

function lessonsText({ lessons, materialSeconds }: PublicCertificate['work']): string | null {
  if (lessons === 0) return null
  return certifiedLength(lessons, Math.max(1, Math.floor(materialSeconds / 60)))
}
