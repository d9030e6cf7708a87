import { getScorePercent } from '~/features/exams/grade'
import { localDay } from '~/features/learning/progress/study-time'
import { formatLongDate } from '~/ui/format-date'
import { siteName } from '~/ui/site-name'
import { certifiedLength, certifiedWork, examScore, noName } from './certificate-messages'
import type { PublicCertificate } from './certificate-queries.server'

/** The text of a certificate, the same on the page, the picture and the PDF. */
export type CertificateText = {
  /** Address of the page. */
  address: string
  name: string
  /**
   * False once it was replaced or withdrawn: no name stands on it and no credential is signed for
   * it.
   */
  held: boolean
  course: string
  /** The day in the holder's time zone, in words. */
  issuedOn: string
  /** The same day like 2026-11-20. */
  issuedDay: string
  /** ISO date-time. */
  issuedAt: string
  /** The learner's achievement, before the course's title. */
  sentence: string
  /** The completed material and its length, like '17 lessons, 42 min'; null for none. */
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
    issuedOn: formatLongDate(issuedAt, timezone),
    issuedDay: localDay(issuedAt, timezone),
    issuedAt: issuedAt.toISOString(),
    sentence: certifiedWork(work.lessons),
    lessons: lessonsText(work),
    exam: examScore(result.score, result.maxScore, getScorePercent(result)),
    number: id,
    state,
  }
}

function lessonsText({ lessons, materialSeconds }: PublicCertificate['work']): string | null {
  if (lessons === 0) {
    return null
  }

  return certifiedLength(lessons, Math.max(1, Math.floor(materialSeconds / 60)))
}

/** The form of LinkedIn that adds a certificate to the reader's profile, filled in. */
export function linkedInAddress({ course, address, number, issuedDay }: CertificateText): string {
  const [year = '', month = ''] = issuedDay.split('-')
  const details = {
    startTask: 'CERTIFICATION_NAME',
    name: course,
    organizationName: siteName(),
    issueYear: year,
    issueMonth: String(Number(month)),
    certUrl: address,
    certId: number,
  }

  return `https://www.linkedin.com/profile/add?${new URLSearchParams(details)}`
}

/**
 * 'A. L.' of 'Ada Lovelace': the first letter of each word, without words that have none. Shown
 * publicly while the full name is not.
 */
export function initialsOf(name: string): string {
  const initials = name
    .normalize('NFC')
    .split(/\s+/u)
    .flatMap(
      (word) => /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]\p{M}*/u.exec(word)?.[0].toLocaleUpperCase('en') ?? [],
    )

  return initials.length > 0 ? `${initials.join('. ')}.` : 'A learner'
}

const longestName = 201

/**
 * A name as a certificate writes it: on one line, without invisible signs, among them those that
 * change the text's direction; but with the joiners that some scripts need.
 */
export function certificateName(name: string): string {
  const visible = name
    .normalize('NFC')
    .replace(/\s/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{C}\u2028\u2029]/gu, '')
    .replace(/ +/g, ' ')
    .trim()

  return [...visible].slice(0, longestName).join('') || 'A learner'
}

/**
 * Places in one Bitstring Status List; the least that the standard allows, so that a place says
 * little about a person.
 */
export const statusListLength = 131_072

/**
 * `revoked` by an operator, `withdrawn` because the learner left, `valid` otherwise.
 *
 * @param held false once its holder has deleted the account.
 */
export type CertificateState = 'valid' | 'revoked' | 'withdrawn'

export function certificateState({
  revokedAt,
  held,
}: {
  revokedAt: unknown
  held: boolean
}): CertificateState {
  if (revokedAt) {
    return 'revoked'
  }

  return held ? 'valid' : 'withdrawn'
}
