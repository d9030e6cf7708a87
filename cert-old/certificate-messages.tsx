import type { ReactNode } from 'react'
import { byCount } from '~/ui/format-count'
import { formatDate } from '~/ui/format-date'
import { formatMinutes } from '~/ui/format-duration'
import type { Linked } from '~/ui/more-link'
import { siteName } from '~/ui/site-name'
import type { CertificateState } from './certificate-text'

/**
 * Texts of certificates, the same on page, picture and PDF. The sentences of signed credentials are
 * in `credential-wording.ts`, because issued ones keep their wording.
 */

/** Texts about the holder on page and PDF. */
export const confirmedAddress = 'Issued to a confirmed email address.'

/** In the place of a name. */
export const noName = { holder: 'A learner', former: 'A former learner' } as const

/** A line of the certificate, between the learner's name and the course's title. */
export function certifiedWork(lessons: number): string {
  if (lessons === 0) {
    return 'passed the final exam of'
  }

  return byCount(
    lessons,
    'completed 1 lesson and passed the final exam of',
    `completed ${lessons} lessons and passed the final exam of`,
  )
}

/** The same as one sentence. */
export function certificateSentence(
  learner: string,
  lessons: number,
  course: string,
  issuedOn: string,
): string {
  if (lessons === 0) {
    return `${learner} passed the final exam of ${course}. Issued ${issuedOn}.`
  }

  return byCount(
    lessons,
    `${learner} completed 1 lesson and passed the final exam of ${course}. Issued ${issuedOn}.`,
    `${learner} completed ${lessons} lessons and passed the final exam of ${course}. Issued ${issuedOn}.`,
  )
}

export function certifiedLength(lessons: number, minutes: number): string {
  const length = formatMinutes(minutes)
  return byCount(lessons, `1 lesson, ${length}`, `${lessons} lessons, ${length}`)
}

export function examScore(score: number, maxScore: number, percent: number): string {
  return `${score} of ${maxScore} correct (${percent}%)`
}

export function certificateTitle(learner: string, course: string): string {
  return `Certificate of ${learner}: ${course}`
}

export const certificateBanners: Record<CertificateState, string> = {
  get valid() {
    return `Valid. ${siteName()} issued this certificate.`
  },
  revoked: 'Revoked. This certificate is no longer valid.',
  get withdrawn() {
    return `Withdrawn. The learner has left ${siteName()}, and this certificate is no longer valid.`
  },
}

/** For a copy: the printout, the PDF, and the text for search engines. */
export const invalidCertificate: Record<Exclude<CertificateState, 'valid'>, string> = {
  revoked: 'This certificate was revoked and is no longer valid.',
  withdrawn: 'This certificate was withdrawn and is no longer valid.',
}

export const pictureTitles: Record<CertificateState, string> = {
  valid: 'Certificate of completion',
  revoked: 'Certificate of completion, revoked',
  withdrawn: 'Certificate of completion, withdrawn',
}

export function revokedOn(at: string): string {
  return `Revoked on ${formatDate(at)}.`
}

/** @param reason an operator's own words, with or without a mark at the end. */
export function revokedReason(reason: string): string {
  return /[.!?]$/.test(reason) ? `Reason: ${reason}` : `Reason: ${reason}.`
}

export function replacedBy(link: Linked): ReactNode {
  return <>It was replaced by {link('a new certificate')}.</>
}

export function qrLabel(address: string): string {
  return `QR code linking to ${address}`
}

export function verifyAt(address: string): string {
  return `Verify it at ${address}`
}

/** How others can verify a certificate. */
export const verifying = {
  page: () =>
    `This page comes straight from ${siteName()}, and its first line says whether the certificate is valid right now. If a copy you received shows a different name or course, it isn’t genuine.`,
  software: (credential: Linked, keys: Linked): ReactNode => (
    <>
      Software can verify the {credential('signed Open Badges 3.0 credential')} with{' '}
      {keys(`${siteName()}’s public keys`)} and its list of revoked certificates.
    </>
  ),
  course: (link: Linked): ReactNode => <>See what the course covers on {link('its page')}.</>,
} as const

export function namesShown(name: string, full: boolean): string {
  return full
    ? `The page, PDF and Open Badge show ‘${name}’.`
    : `The page, PDF and Open Badge show only ‘${name}’.`
}

export const choiceSaved = 'Your choice has been saved.'
export const choiceNotSaved = 'We couldn’t save your choice. Check your connection, then try again.'
export const notYours = 'This isn’t your certificate.'

export const certificateNotFound = {
  heading: 'Certificate not found',
  title: 'We couldn’t find that certificate',
  sentence: 'We couldn’t find that certificate.',
  get text() {
    return `Check the link for typos. ${siteName()} has never issued a certificate with this number.`
  },
} as const
export const credentialNotFound = 'We couldn’t find that credential.'
export const statusListNotFound = 'We couldn’t find that status list.'

/** In the list of recent activity. */
export const certificateActivities = {
  earned: (course: string) => `Earned the certificate for ${course}`,
  revoked: (course: string) => `The certificate for ${course} was revoked`,
  reissued: (course: string) => `The certificate for ${course} was reissued`,
} as const
