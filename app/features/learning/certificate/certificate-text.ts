import { countText } from '~/ui/count-text'
import { longDateText } from '~/ui/date-text'
import { minutesText } from '~/ui/duration-text'
import { scorePercent } from '../exam/grade'
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

/** What page and PDF say of the holder, because others are never issued. */
export const confirmedAddress = 'Issued to a confirmed email address.'

/** @param origin PUBLIC_URL. */
export function certificateText(certificate: PublicCertificate, origin: string): CertificateText {
  const { id, name, course, work, issuedAt, state, replacedBy } = certificate
  const result = { score: work.examScore, maxScore: work.examMaxScore }
  return {
    address: `${origin}/Certificate/${id}`,
    name: name ?? (replacedBy ? 'A learner' : 'A former learner'),
    held: name !== null,
    course: course.title,
    issuedOn: longDateText(issuedAt),
    sentence:
      work.lessons === 0
        ? 'passed the final exam of'
        : `completed ${countText(work.lessons, 'lesson')} and passed the final exam of`,
    lessons: lessonsText(work),
    exam: `${result.score} of ${result.maxScore} correct (${scorePercent(result)}%)`,
    number: id,
    state,
  }
}

function lessonsText({ lessons, materialSeconds }: PublicCertificate['work']): string | null {
  if (lessons === 0) return null
  return `${countText(lessons, 'lesson')}, ${minutesText(Math.max(1, Math.floor(materialSeconds / 60)))}`
}
