/**
 * All text about certificates. The sentences of signed credentials are in `credential-document.ts`,
 * because issued credentials keep their wording.
 */

import type { ReactNode } from 'react'
import { getScorePercent } from '~/features/exams/grade'
import { localDay } from '~/features/learning/progress/study-time'
import { byCount } from '~/ui/format-count'
import { formatLongDate } from '~/ui/format-date'
import { formatMinutes } from '~/ui/format-duration'
import type { RenderLink } from '~/ui/more-link'
import { siteName } from '~/ui/site-name'
import type { CertificateStatus, CertifiedProgress, PublicCertificate } from './certificate-rules'

/** The text of one certificate, which is the same on its page, its picture and its PDF. */
export type CertificateText = {
  url: string
  name: string
  /**
   * False once the certificate was replaced or withdrawn. Then it has no name and no credential.
   */
  hasHolder: boolean
  course: string
  /** The date of issue in the holder's time zone, such as 'November 20, 2026'. */
  issuedOn: string
  /** The same date as 2026-11-20. */
  issuedDay: string
  /** ISO date-time. */
  issuedAt: string
  /** What the learner did. The title of the course follows this text. */
  sentence: string
  /** Such as '17 lessons, 42 min'. Null if the certificate confirms only the exam. */
  lessons: string | null
  /** Such as '7 of 8 correct (87%)'. */
  exam: string
  /** The ID, which the page calls the certificate's number. */
  number: string
  status: CertificateStatus
}

/** @param origin the public URL of the school */
export function getCertificateText(
  certificate: PublicCertificate,
  origin: string,
): CertificateText {
  const { id, name, course, progress, issuedAt, timezone, status, replacedBy } = certificate
  const nameWithoutHolder = replacedBy ? 'A learner' : 'A former learner'

  return {
    url: `${origin}/Certificate/${id}`,
    name: name ?? nameWithoutHolder,
    hasHolder: name !== null,
    course: course.title,
    issuedOn: formatLongDate(issuedAt, timezone),
    issuedDay: localDay(issuedAt, timezone),
    issuedAt: issuedAt.toISOString(),
    sentence: describeCertifiedLessons(progress.lessons),
    lessons: formatLessons(progress),
    exam: formatExamResult(progress),
    number: id,
    status,
  }
}

function describeCertifiedLessons(lessons: number): string {
  if (lessons === 0) {
    return 'passed the final exam of'
  }

  return byCount(
    lessons,
    'completed 1 lesson and passed the final exam of',
    `completed ${lessons} lessons and passed the final exam of`,
  )
}

function formatLessons({ lessons, materialSeconds }: CertifiedProgress): string | null {
  if (lessons === 0) {
    return null
  }

  const minutes = Math.max(1, Math.floor(materialSeconds / 60))
  const duration = formatMinutes(minutes)

  return byCount(lessons, `1 lesson, ${duration}`, `${lessons} lessons, ${duration}`)
}

function formatExamResult({ examScore, examMaxScore }: CertifiedProgress): string {
  const percent = getScorePercent({ score: examScore, maxScore: examMaxScore })
  return `${examScore} of ${examMaxScore} correct (${percent}%)`
}

/** Returns the URL of LinkedIn's form for adding a certificate to a profile, already filled in. */
export function linkedInUrl({ course, url, number, issuedDay }: CertificateText): string {
  const [year = '', month = ''] = issuedDay.split('-')
  const formValues = {
    startTask: 'CERTIFICATION_NAME',
    name: course,
    organizationName: siteName(),
    issueYear: year,
    issueMonth: String(Number(month)),
    certUrl: url,
    certId: number,
  }

  return `https://www.linkedin.com/profile/add?${new URLSearchParams(formValues)}`
}

export const certificateMessages = {
  /** The text on page and PDF that says who the holder is. */
  confirmedAddress: 'Issued to a confirmed email address.',
  banners: {
    get valid() {
      return `Valid. ${siteName()} issued this certificate.`
    },
    revoked: 'Revoked. This certificate is no longer valid.',
    get withdrawn() {
      return `Withdrawn. The learner has left ${siteName()}, and this certificate is no longer valid.`
    },
  } satisfies Record<CertificateStatus, string>,
  /** The text on copies: the printout, the PDF and the description for search engines. */
  invalidCertificate: {
    revoked: 'This certificate was revoked and is no longer valid.',
    withdrawn: 'This certificate was withdrawn and is no longer valid.',
  } satisfies Record<Exclude<CertificateStatus, 'valid'>, string>,
  pictureTitles: {
    valid: 'Certificate of completion',
    revoked: 'Certificate of completion, revoked',
    withdrawn: 'Certificate of completion, withdrawn',
  } satisfies Record<CertificateStatus, string>,
  /** The paragraphs that explain how others can verify a certificate. */
  verifying: {
    page: () =>
      `This page comes straight from ${siteName()}, and its first line says whether the certificate is valid right now. If a copy you received shows a different name or course, it isn’t genuine.`,
    software: (renderCredentialLink: RenderLink, renderKeysLink: RenderLink): ReactNode => (
      <>
        Software can verify the {renderCredentialLink('signed Open Badges 3.0 credential')} with{' '}
        {renderKeysLink(`${siteName()}’s public keys`)} and its list of revoked certificates.
      </>
    ),
    course: (renderLink: RenderLink): ReactNode => (
      <>See what the course covers on {renderLink('its page')}.</>
    ),
  } as const,
  /** Tells the holder how a corrected name gets onto the certificate. */
  nameCorrection: {
    ask: (name: string, currentName: string) =>
      `This certificate is in the name ‘${name}’, but your name in Settings is now ‘${currentName}’. Ask ${siteName()} to reissue it: you’ll get a new certificate in your current name, and this page will lead to it.`,
    reissue: (name: string, currentName: string) =>
      `This certificate is in the name ‘${name}’, but your name in Settings is now ‘${currentName}’. You can reissue it: you’ll get a new certificate in your current name, and this page will lead to it.`,
    button: 'Reissue in my current name',
    buttonBusy: 'Reissuing...',
    askLater: (renderSettingsLink: RenderLink): ReactNode => (
      <>
        Is the name wrong? Correct it in {renderSettingsLink('Settings')}, then ask {siteName()} to
        reissue this certificate.
      </>
    ),
    reissueLater: (renderSettingsLink: RenderLink): ReactNode => (
      <>
        Is the name wrong? Correct it in {renderSettingsLink('Settings')}, then reissue this
        certificate here.
      </>
    ),
    get notAllowed() {
      return `Ask ${siteName()} to reissue this certificate.`
    },
    notValid: 'This certificate is no longer valid, so it can’t be reissued.',
    sameName: 'This certificate is already in your current name.',
    tooOften: 'You’ve reissued certificates several times today. Please try again tomorrow.',
  } as const,
  choiceSaved: 'Your choice has been saved.',
  choiceNotSaved: 'We couldn’t save your choice. Check your connection, then try again.',
  notYourCertificate: 'This isn’t your certificate.',
  certificateNotFound: {
    heading: 'Certificate not found',
    title: 'We couldn’t find that certificate',
    sentence: 'We couldn’t find that certificate.',
    get text() {
      return `Check the link for typos. ${siteName()} has never issued a certificate with this number.`
    },
  } as const,
  credentialNotFound: 'We couldn’t find that credential.',
  statusListNotFound: 'We couldn’t find that status list.',
  /** The entries in a learner's recent activity. */
  activities: {
    earned: (course: string) => `Earned the certificate for ${course}`,
    revoked: (course: string) => `The certificate for ${course} was revoked`,
    reissued: (course: string) => `The certificate for ${course} was reissued`,
  } as const,
}

/** @param reason what a member of staff wrote, with or without a final punctuation mark */
export function formatRevocationReason(reason: string): string {
  return /[.!?]$/.test(reason) ? `Reason: ${reason}` : `Reason: ${reason}.`
}

export function describeReplacement(renderLink: RenderLink): ReactNode {
  return <>It was replaced by {renderLink('a new certificate')}.</>
}

export function qrLabel(url: string): string {
  return `QR code linking to ${url}`
}
