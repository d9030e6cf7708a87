/** Types and rules of certificates that pages, files, credentials and queries share. */

/**
 * `revoked` by the school, `withdrawn` because the learner deleted the account, `valid` otherwise.
 */
export type CertificateStatus = 'valid' | 'revoked' | 'withdrawn'

/**
 * The completed lessons that a certificate confirms. Planned lessons do not count, nor do lessons
 * that the learner only marked as done.
 */
export type CertifiedLessons = {
  /** How many lessons there are. */
  lessons: number
  /** How long the lessons are together. */
  materialSeconds: number
}

/** Everything that a certificate confirms. */
export type CertifiedProgress = CertifiedLessons & {
  examScore: number
  examMaxScore: number
}

/** What everyone who has the link may read about a certificate. */
export type PublicCertificate = {
  id: string
  status: CertificateStatus
  /**
   * The full name or the initials, as the learner chose. Null once nobody holds the certificate.
   */
  name: string | null
  showsName: boolean
  course: { id: string; title: string; published: boolean }
  progress: CertifiedProgress
  issuedAt: Date
  /** The learner's time zone, in which dates are shown. UTC once nobody holds the certificate. */
  timezone: string
  revokedAt: Date | null
  revokedReason: string | null
  /** The ID of the certificate that the school issued in place of this one. */
  replacedBy: string | null
}

/**
 * The number of entries in one Bitstring Status List. It is the minimum of the standard, which is
 * large enough that looking up one entry reveals little about a person.
 */
export const statusListLength = 131_072

/** @param certificate.hasHolder false once the learner has deleted the account */
export function getCertificateStatus(certificate: {
  revokedAt: Date | null
  hasHolder: boolean
}): CertificateStatus {
  if (certificate.revokedAt) {
    return 'revoked'
  }

  return certificate.hasHolder ? 'valid' : 'withdrawn'
}

const nameWithoutLetters = 'A learner'

/**
 * Returns the initials that are public while the full name is not: 'A. L.' for 'Ada Lovelace'.
 * Words without a letter are skipped.
 */
export function getInitials(name: string): string {
  const initials = name
    .normalize('NFC')
    .split(/\s+/u)
    .flatMap((word) => {
      const firstLetter = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]\p{M}*/u.exec(word)?.[0]
      return firstLetter ? [firstLetter.toLocaleUpperCase('en')] : []
    })

  return initials.length > 0 ? `${initials.join('. ')}.` : nameWithoutLetters
}

const maxNameLength = 201

/**
 * Returns a learner's name as a certificate prints it: on one line and without invisible
 * characters, because some of them change the direction of the text. The joiners stay, because some
 * scripts need them.
 */
export function toCertificateName(name: string): string {
  const visibleName = name
    .normalize('NFC')
    .replace(/\s/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{C}\u2028\u2029]/gu, '')
    .replace(/ +/g, ' ')
    .trim()

  const shortenedName = [...visibleName].slice(0, maxNameLength).join('')

  return shortenedName || nameWithoutLetters
}
