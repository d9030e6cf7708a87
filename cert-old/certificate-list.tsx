import { Award } from 'lucide-react'
import { Link } from 'react-router'
import { formatDate } from '~/ui/format-date'
import type {
  HeldCertificate,
  WaitingCertificate as WaitingCertificateEntry,
} from './certificate-queries.server'
import { WaitingCertificate } from './waiting-certificate'

type CertificateListProps = {
  certificates: readonly HeldCertificate[]
  /** Earned, not issued yet. */
  waiting: readonly WaitingCertificateEntry[]
  timezone: string
}

/**
 * A learner's certificates; nothing if there is none, because an achievement explains how to earn
 * the first.
 */
export function CertificateList({ certificates, waiting, timezone }: CertificateListProps) {
  if (certificates.length + waiting.length === 0) {
    return null
  }

  return (
    <section aria-labelledby="certificates" className="mt-10">
      <h2 id="certificates" className="font-bold text-xl">
        Certificates
      </h2>
      {waiting.length > 0 && (
        <ul className="mt-4 grid gap-4">
          {waiting.map(({ courseId, ...certificate }) => (
            <li key={courseId}>
              <WaitingCertificate {...certificate} />
            </li>
          ))}
        </ul>
      )}
      <ul className="mt-4 grid gap-4 sm:grid-cols-2">
        {certificates.map(({ id, courseTitle, issuedAt, state }) => (
          <li key={id} className="card relative flex items-center gap-4 p-5 hover:border-ink">
            <span
              aria-hidden="true"
              className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-strong"
            >
              <Award size={22} />
            </span>
            <span className="min-w-0">
              <Link
                to={`/Certificate/${id}`}
                className="font-semibold after:absolute after:inset-0"
              >
                {courseTitle}
              </Link>
              <span className="block text-muted text-sm">
                {state === 'valid' ? `Issued ${formatDate(issuedAt, timezone)}` : 'Revoked'}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
