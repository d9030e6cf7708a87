import { BadgeCheck, BadgeX, Download, FileJson, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { Logo } from '~/ui/logo'
import {
  certificateBanners,
  confirmedAddress,
  invalidCertificate,
  qrLabel,
  replacedBy,
  revokedOn,
  revokedReason,
  verifying,
} from './certificate-messages'
import type { CertificateText } from './certificate-text'

const inline = 'font-medium underline underline-offset-2'

type Revoked = { at: string; reason: string | null; replacedBy: string | null }

type CertificatePageProps = {
  text: CertificateText
  /** Null once the course has no page any more. */
  courseId: string | null
  revoked: Revoked | null
  qr: { path: string; size: number }
  /** Shown only to the holder. */
  holderPanel: ReactNode
}

/** The public page of a certificate: the same for everyone but for the holder's panel. */
export function CertificatePage({
  text,
  courseId,
  revoked,
  qr,
  holderPanel,
}: CertificatePageProps) {
  const { number, state, held } = text
  return (
    <div className="column max-w-5xl py-8 sm:py-12 print:max-w-none print:p-0">
      <StateBanner state={state} revoked={revoked} />
      <CertificateSheet text={text} qr={qr} />
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <FileLink href={`/Certificate/${number}/certificate.pdf`} icon={<Download size={18} />}>
          PDF
        </FileLink>
        {held && (
          <FileLink href={`/Certificate/${number}/credential.json`} icon={<FileJson size={18} />}>
            Open Badge
          </FileLink>
        )}
        <PrintButton />
      </div>
      {holderPanel}
      <section aria-labelledby="check" className="mt-12 max-w-2xl print:hidden">
        <h2 id="check" className="font-bold text-xl">
          How to verify this certificate
        </h2>
        <p className="mt-3 text-muted">{verifying.page()}</p>
        {held && (
          <p className="mt-3 text-muted">
            {verifying.software(
              (words) => (
                <a href={`/Certificate/${number}/credential.json`} className={inline}>
                  {words}
                </a>
              ),
              (words) => (
                <a href="/.well-known/did.json" className={inline}>
                  {words}
                </a>
              ),
            )}
          </p>
        )}
        {courseId && (
          <p className="mt-3 text-muted">
            {verifying.course((words) => (
              <Link to={`/OneCourse/${courseId}`} className={inline}>
                {words}
              </Link>
            ))}
          </p>
        )}
      </section>
    </div>
  )
}

const banners = {
  valid: { className: 'bg-good-soft text-good', Icon: BadgeCheck },
  revoked: { className: 'bg-bad-soft text-bad', Icon: BadgeX },
  withdrawn: { className: 'bg-warn-soft text-warn', Icon: BadgeX },
} as const

function StateBanner({
  state,
  revoked,
}: {
  state: CertificateText['state']
  revoked: Revoked | null
}) {
  const { className, Icon } = banners[state]
  return (
    <div className={`mb-6 flex gap-3 rounded-card px-5 py-4 ${className}`} data-state={state}>
      <Icon aria-hidden="true" className="mt-0.5 shrink-0" />
      <div>
        <p className="font-semibold">{certificateBanners[state]}</p>
        {revoked && (
          <p className="text-ink">
            {revokedOn(revoked.at)} {revoked.reason && revokedReason(revoked.reason)}{' '}
            {revoked.replacedBy &&
              replacedBy((words) => (
                <Link to={`/Certificate/${revoked.replacedBy}`} className={inline}>
                  {words}
                </Link>
              ))}
          </p>
        )}
      </div>
    </div>
  )
}

/** Looks like the PDF; paper in print, a card on screen. */
function CertificateSheet({ text, qr }: { text: CertificateText; qr: CertificatePageProps['qr'] }) {
  const { name, sentence, course, issuedOn, lessons, exam, number, address, state } = text
  return (
    <article className="card relative overflow-hidden p-6 pl-9 sm:p-12 sm:pl-16 print:border-line print:shadow-none">
      <div
        aria-hidden="true"
        className={`absolute inset-y-0 left-0 w-3 sm:w-4 ${state === 'valid' ? 'bg-accent' : 'bg-bad'}`}
      />
      <Logo />
      <h1 className="mt-10 font-semibold text-accent text-lg">Certificate of completion</h1>
      {/* Also on a picture or a printout of the sheet alone. */}
      {state !== 'valid' && (
        <p className="mt-1 font-semibold text-bad text-lg">{invalidCertificate[state]}</p>
      )}
      <p className="mt-6 text-muted">This certifies that</p>
      <p className="mt-1 break-words font-bold text-3xl leading-tight tracking-tight sm:text-5xl">
        {name}
      </p>
      <p className="mt-6 text-muted">{sentence}</p>
      <p className="mt-1 font-bold text-2xl leading-tight tracking-tight sm:text-4xl">{course}</p>
      <div className="mt-10 flex flex-wrap items-end justify-between gap-8 border-line border-t pt-6">
        <dl className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
          <Fact name="Issued on" value={issuedOn} />
          {lessons && <Fact name="Lessons completed" value={lessons} />}
          <Fact name="Final exam" value={exam} />
          <Fact name="Certificate number" value={number} />
        </dl>
        <svg
          role="img"
          aria-label={qrLabel(address)}
          viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}
          className="size-28 rounded-control bg-white text-black"
        >
          <path d={qr.path} fill="currentColor" shapeRendering="crispEdges" />
        </svg>
      </div>
      <p className="mt-6 text-muted text-sm">{confirmedAddress}</p>
    </article>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
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

function PrintButton() {
  return (
    <Button variant="secondary" onClick={() => window.print()}>
      <Printer aria-hidden="true" size={18} /> Print
    </Button>
  )
}
