import { MailCheck } from 'lucide-react'
import { ButtonLink } from '~/ui/button'

/** Of which course, and where it is not plain. */
type WaitingCertificateProps = { courseTitle?: string }

/** Earned, but not issued yet: certificates go to confirmed addresses only. */
export function WaitingCertificate({ courseTitle }: WaitingCertificateProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3 rounded-card bg-accent-soft px-5 py-4">
      <MailCheck aria-hidden="true" className="shrink-0 text-accent-strong" />
      <p className="min-w-52 flex-1">
        <strong className="font-semibold">You earned the certificate of {courseTitle ?? 'this course'}.</strong> Confirm
        your email address to receive your certificate.
      </p>
      <ButtonLink to="/ConfirmEmail" look="secondary">
        Confirm your email address
      </ButtonLink>
    </div>
  )
}
