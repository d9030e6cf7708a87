import { BadgeCheck, BadgeX, Download, FileJson, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { formatDate } from '~/ui/format-date'
import { Logo } from '~/ui/logo'
import {
  type CertificateText,
  certificateMessages,
  describeReplacement,
  formatRevocationReason,
  qrLabel,
} from './certificate-messages'
import type { HolderView } from './certificate-queries.server'
import { HolderPanel } from './holder-panel'

const inlineLink = 'font-medium underline underline-offset-2'

type Revocation = { at: string; reason: string | null; replacedBy: string | null }

type CertificatePageProps = {
  text: CertificateText
  /** Null once the course has no page any more. */
  courseId: string | null
  revocation: Revocation | null
  qr: { path: string; size: number }
  /** Null unless the viewer holds the certificate. */
  holder: HolderView | null
}

/** The public page of a certificate. Only the holder sees the panel with their own choices. */
export function CertificatePage({ text, courseId, revocation, qr, holder }: CertificatePageProps) {
  const { number, status, hasHolder } = text

  return (
    <div className="column max-w-5xl py-8 sm:py-12 print:max-w-none print:p-0">
      <StatusBanner status={status} revocation={revocation} />
      <CertificateSheet text={text} qr={qr} />
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <FileLink href={`/Certificate/${number}/certificate.pdf`} icon={<Download size={18} />}>
          PDF
        </FileLink>
        {hasHolder && (
          <FileLink href={`/Certificate/${number}/credential.json`} icon={<FileJson size={18} />}>
            Open Badge
          </FileLink>
        )}
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden="true" size={18} /> Print
        </Button>
      </div>
      {holder && <HolderPanel text={text} holder={holder} />}
      <VerificationHelp number={number} hasCredential={hasHolder} courseId={courseId} />
    </div>
  )
}

const bannerVariants = {
  valid: { className: 'bg-good-soft text-good', Icon: BadgeCheck },
  revoked: { className: 'bg-bad-soft text-bad', Icon: BadgeX },
  withdrawn: { className: 'bg-warn-soft text-warn', Icon: BadgeX },
} as const

function StatusBanner({
  status,
  revocation,
}: {
  status: CertificateText['status']
  revocation: Revocation | null
}) {
  const { className, Icon } = bannerVariants[status]

  return (
    <div className={`mb-6 flex gap-3 rounded-card px-5 py-4 ${className}`} data-status={status}>
      <Icon aria-hidden="true" className="mt-0.5 shrink-0" />
      <div>
        <p className="font-semibold">{certificateMessages.banners[status]}</p>
        {revocation && (
          <p className="text-ink">
            {`Revoked on ${formatDate(revocation.at)}.`}{' '}
            {revocation.reason && formatRevocationReason(revocation.reason)}{' '}
            {revocation.replacedBy &&
              describeReplacement((linkText) => (
                <Link to={`/Certificate/${revocation.replacedBy}`} className={inlineLink}>
                  {linkText}
                </Link>
              ))}
          </p>
        )}
      </div>
    </div>
  )
}

/** The certificate itself, which resembles the PDF: a card on the screen, a sheet in print. */
function CertificateSheet({ text, qr }: { text: CertificateText; qr: CertificatePageProps['qr'] }) {
  const { name, sentence, course, issuedOn, lessons, exam, number, url, status } = text
  const edgeColor = status === 'valid' ? 'bg-accent' : 'bg-bad'

  return (
    <article className="card relative overflow-hidden p-6 pl-9 sm:p-12 sm:pl-16 print:border-line print:shadow-none">
      <div aria-hidden="true" className={`absolute inset-y-0 left-0 w-3 sm:w-4 ${edgeColor}`} />
      <Logo />
      <h1 className="mt-10 font-semibold text-accent text-lg">Certificate of completion</h1>
      {/* The banner is outside the sheet, so a copy of the sheet has to say it as well. */}
      {status !== 'valid' && (
        <p className="mt-1 font-semibold text-bad text-lg">
          {certificateMessages.invalidCertificate[status]}
        </p>
      )}
      <p className="mt-6 text-muted">This certifies that</p>
      <p className="mt-1 break-words font-bold text-3xl leading-tight tracking-tight sm:text-5xl">
        {name}
      </p>
      <p className="mt-6 text-muted">{sentence}</p>
      <p className="mt-1 font-bold text-2xl leading-tight tracking-tight sm:text-4xl">{course}</p>
      <div className="mt-10 flex flex-wrap items-end justify-between gap-8 border-line border-t pt-6">
        <dl className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
          <Detail label="Issued on" value={issuedOn} />
          {lessons && <Detail label="Lessons completed" value={lessons} />}
          <Detail label="Final exam" value={exam} />
          <Detail label="Certificate number" value={number} />
        </dl>
        <svg
          role="img"
          aria-label={qrLabel(url)}
          viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}
          className="size-28 rounded-control bg-white text-black"
        >
          <path d={qr.path} fill="currentColor" shapeRendering="crispEdges" />
        </svg>
      </div>
      <p className="mt-6 text-muted text-sm">{certificateMessages.confirmedAddress}</p>
    </article>
  )
}

function Detail({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="break-all font-semibold">{value}</dd>
    </div>
  )
}

function FileLink({
  href,
  icon,
  children,
}: {
  href: string
  icon: ReactNode
  children: ReactNode
}) {
  return (
    <a
      href={href}
      className="inline-flex min-h-11 items-center gap-2 rounded-control border border-edge bg-surface px-5 py-2.5 font-semibold text-ink no-underline hover:border-ink"
    >
      <span aria-hidden="true">{icon}</span>
      {children}
    </a>
  )
}

type VerificationHelpProps = { number: string; hasCredential: boolean; courseId: string | null }

function VerificationHelp({ number, hasCredential, courseId }: VerificationHelpProps) {
  return (
    <section aria-labelledby="check" className="mt-12 max-w-2xl print:hidden">
      <h2 id="check" className="font-bold text-xl">
        How to verify this certificate
      </h2>
      <p className="mt-3 text-muted">{certificateMessages.verifying.page()}</p>
      {hasCredential && (
        <p className="mt-3 text-muted">
          {certificateMessages.verifying.software(
            (linkText) => (
              <a href={`/Certificate/${number}/credential.json`} className={inlineLink}>
                {linkText}
              </a>
            ),
            (linkText) => (
              <a href="/.well-known/did.json" className={inlineLink}>
                {linkText}
              </a>
            ),
          )}
        </p>
      )}
      {courseId && (
        <p className="mt-3 text-muted">
          {certificateMessages.verifying.course((linkText) => (
            <Link to={`/OneCourse/${courseId}`} className={inlineLink}>
              {linkText}
            </Link>
          ))}
        </p>
      )}
    </section>
  )
}
