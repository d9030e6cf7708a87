import { Award } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useNavigation, useRevalidator } from 'react-router'
import { progressMessages } from '~/features/learning/progress/progress-messages'
import { ButtonLink } from '~/ui/button'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import type { LearnerCertificate, WaitingCertificate } from './certificate-queries.server'

type CertificateListProps = {
  certificates: readonly LearnerCertificate[]
  waitingCertificates: readonly WaitingCertificate[]
  timezone: string
}

/**
 * Lists a learner's certificates. Without any it renders nothing, because an achievement already
 * explains how to earn the first one.
 */
export function CertificateList({
  certificates,
  waitingCertificates,
  timezone,
}: CertificateListProps) {
  if (certificates.length + waitingCertificates.length === 0) {
    return null
  }

  return (
    <section aria-labelledby="certificates" className="mt-10">
      <h2 id="certificates" className="font-bold text-xl">
        Certificates
      </h2>
      {waitingCertificates.length > 0 && (
        <ul className="mt-4 grid gap-4">
          {waitingCertificates.map(({ courseId, courseTitle, isEmailConfirmed }) => (
            <li key={courseId}>
              <WaitingCertificateNotice
                courseTitle={courseTitle}
                isEmailConfirmed={isEmailConfirmed}
              />
            </li>
          ))}
        </ul>
      )}
      <ul className="mt-4 grid gap-4 sm:grid-cols-2">
        {certificates.map((certificate) => (
          <li
            key={certificate.id}
            className="card relative flex items-center gap-4 p-5 hover:border-ink"
          >
            <CertificateCard certificate={certificate} timezone={timezone} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function CertificateCard({
  certificate,
  timezone,
}: {
  certificate: LearnerCertificate
  timezone: string
}) {
  const { id, courseTitle, issuedAt, status } = certificate

  return (
    <>
      <span
        aria-hidden="true"
        className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-strong"
      >
        <Award size={22} />
      </span>
      <span className="min-w-0">
        <Link to={`/Certificate/${id}`} className="font-semibold after:absolute after:inset-0">
          {courseTitle}
        </Link>
        <span className="block text-muted text-sm">
          {status === 'valid' ? `Issued ${formatDate(issuedAt, timezone)}` : 'Revoked'}
        </span>
      </span>
    </>
  )
}

type WaitingCertificateNoticeProps = {
  /** Null on a page that is about one course. */
  courseTitle?: string | null
  isEmailConfirmed: boolean
}

/** Says why an earned certificate is not issued yet: usually the email address is not confirmed. */
export function WaitingCertificateNotice({
  courseTitle = null,
  isEmailConfirmed,
}: WaitingCertificateNoticeProps) {
  if (isEmailConfirmed) {
    return <ExpectedCertificateNotice courseTitle={courseTitle} />
  }

  const confirmEmailLink = (
    <ButtonLink to="/ConfirmEmail" variant="secondary">
      Confirm your email address
    </ButtonLink>
  )

  return (
    <Notice variant="info" action={confirmEmailLink}>
      <strong className="font-semibold">{describeEarnedCertificate(courseTitle)}</strong>{' '}
      {progressMessages.confirmEmailForCertificate}
    </Notice>
  )
}

const pollIntervalMs = 1_500

/** Says that the certificate will appear, and reloads the page's data until it does. */
function ExpectedCertificateNotice({ courseTitle }: { courseTitle: string | null }) {
  const { revalidate } = useRevalidator()
  const isIdle = useNavigation().state === 'idle'

  useEffect(() => {
    if (!isIdle) {
      return
    }

    const timer = setInterval(() => {
      if (navigator.onLine) {
        void revalidate()
      }
    }, pollIntervalMs)
    return () => clearInterval(timer)
  }, [isIdle, revalidate])

  return <Notice variant="good">{describeExpectedCertificate(courseTitle)}</Notice>
}

/** @param courseTitle null on a page that is about this course anyway */
function describeEarnedCertificate(courseTitle: string | null): string {
  return courseTitle === null
    ? 'You earned the certificate for this course.'
    : `You earned the certificate for ${courseTitle}.`
}

/** @param courseTitle null on a page that is about this course anyway */
function describeExpectedCertificate(courseTitle: string | null): string {
  return courseTitle === null
    ? 'Your certificate for this course is on its way.'
    : `Your certificate for ${courseTitle} is on its way.`
}
