import { BadgeCheck, BadgeX, Download, FileJson, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { data, Link, useFetcher, useNavigate } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  type CertificateText,
  certificateMessages,
  getCertificateText,
  linkedInUrl,
  qrLabel,
  replacedBy,
  revokedReason,
} from '~/features/certificates/certificate-messages'
import {
  findCertificate,
  type HolderView,
  readFromReplicaOrPrimary,
  recordNameChoice,
} from '~/features/certificates/certificate-queries.server'
import { reissueOwnCertificate } from '~/features/certificates/certificate-reissuing.server'
import { getInitials } from '~/features/certificates/certificate-rules'
import { db } from '~/server/database/client.server'
import { createQrPath } from '~/server/drawing/qr-path.server'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { Button } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Form } from '~/ui/form/form'
import type { FormResult } from '~/ui/form/form-result'
import { useForm } from '~/ui/form/use-form'
import { byCount } from '~/ui/format-count'
import { formatDate } from '~/ui/format-date'
import { Logo } from '~/ui/logo'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { Notice } from '~/ui/notice'
import { pageMeta } from '~/ui/page-meta'
import { copyOutcomes, copyText } from '~/ui/share-button'
import { useViewer, type ViewerHandle } from '~/viewer'
import type { Route } from './+types/certificate'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({
      title: certificateMessages.certificateNotFound.heading,
      description: certificateMessages.certificateNotFound.sentence,
      path: null,
      matches,
    })
  }

  const { name, course, number } = loaderData.text

  return pageMeta({
    title: certificateTitle(name, course),
    description: loaderData.description,
    path: null,
    image: `/Certificate/${number}/picture.png`,
    matches,
  })
}

/** Loads what everyone may see, so that the response is the same for every viewer. */
export async function loader({ params }: Route.LoaderArgs) {
  const certificate = await readFromReplicaOrPrimary((database) =>
    findCertificate(database, params.id),
  )
  if (!certificate) {
    throw data(certificateMessages.certificateNotFound.sentence, { status: 404 })
  }

  const { revokedAt, revokedReason, replacedBy, course, status, work } = certificate
  const text = getCertificateText(certificate, env.PUBLIC_URL)

  return {
    text,
    description:
      status === 'valid'
        ? summarizeCertificate(text, work.lessons)
        : certificateMessages.invalidCertificate[status],
    courseId: course.published ? course.id : null,
    revocation: revokedAt && { at: revokedAt.toISOString(), reason: revokedReason, replacedBy },
    qr: createQrPath(text.url),
  }
}

/** Saves whether the page shows the full name, or reissues the certificate. Only the holder may. */
export async function action({ request, params }: Route.ActionArgs) {
  const learner = await findLearner(request)
  const demoProblem = learner && findDemoRefusal(learner.uid, 'certificate')
  if (demoProblem) {
    return errorResponse(demoProblem, { status: 403 })
  }

  const form = await readForm(request)
  if (form.get('intent') === 'reissue') {
    return reissue(learner?.uid ?? null, params.id)
  }

  const showsName = form.get('showsName')
  if (showsName !== 'yes' && showsName !== 'no') {
    return errorResponse(serverMessages.unreadableForm)
  }

  if (!learner) {
    return errorResponse(certificateMessages.notYourCertificate, { status: 403 })
  }

  const isHolder = await recordNameChoice(db, learner.uid, params.id, showsName === 'yes')
  if (!isHolder) {
    return errorResponse(certificateMessages.notYourCertificate, { status: 403 })
  }

  return successResponse()
}

/** @param uid null for a visitor */
async function reissue(uid: string | null, id: string) {
  if (uid === null) {
    return errorResponse(certificateMessages.notYourCertificate, { status: 403 })
  }

  if (!(await accountService.attempts.consume(attemptLimits.reissueByAccount, uid))) {
    return errorResponse(certificateMessages.nameCorrection.tooOften, { status: 429 })
  }

  const result = await reissueOwnCertificate(db, { uid, id }, new Date())
  if (!result.ok) {
    return errorResponse(result.problem, { status: 403 })
  }

  const nextUrl = `/Certificate/${result.value}`

  return successResponse({ nextUrl }, { redirectTo: nextUrl })
}

export const clientAction = createClientAction<typeof action>()

export const handle: ViewerHandle<Awaited<ReturnType<typeof loader>>> = {
  getViewerParameters: ({ text }) => ({ certificate: text.number }),
}

export default function CertificateRoute({ loaderData }: Route.ComponentProps) {
  const { certificate } = useViewer()
  const { text } = loaderData
  const holder = certificate?.id === text.number ? certificate : null

  return <CertificatePage {...loaderData} holder={holder} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: certificateMessages.certificateNotFound.heading,
  title: certificateMessages.certificateNotFound.title,
  text: certificateMessages.certificateNotFound.text,
  link: { to: '/', label: 'Go to the home page' },
})

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

/** The public page of a certificate. Only the holder sees one more panel. */
function CertificatePage({ text, courseId, revocation, qr, holder }: CertificatePageProps) {
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

const inlineLink = 'font-medium underline underline-offset-2'

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
            {revokedOn(revocation.at)} {revocation.reason && revokedReason(revocation.reason)}{' '}
            {revocation.replacedBy &&
              replacedBy((linkText) => (
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

/** Lets the holder choose how much of the name is public, and share the certificate. */
function HolderPanel({ holder, text }: { holder: HolderView; text: CertificateText }) {
  const pagePath = `/Certificate/${text.number}`
  const fetcher = useFetcher<FormResult>()
  // The checkbox changes before the response arrives; the stored value would flip it back meanwhile.
  const [chosenValue, setChosenValue] = useState<boolean | null>(null)
  const isIdle = fetcher.state === 'idle'
  const hasFailed = isIdle && fetcher.data?.done === false
  const hasSaved = isIdle && fetcher.data !== undefined && !hasFailed
  const showsName = getDisplayedChoice(holder.showsName, chosenValue, hasFailed)

  function saveChoice(isChecked: boolean) {
    setChosenValue(isChecked)
    fetcher.submit({ showsName: isChecked ? 'yes' : 'no' }, { method: 'post', action: pagePath })
  }

  return (
    <section aria-labelledby="yours" className="card mt-10 p-5 sm:p-8 print:hidden">
      <h2 id="yours" className="font-bold text-xl">
        This certificate is yours
      </h2>
      <p className="mt-2 max-w-2xl text-muted">
        Only people with the link can find this page. Only you can see this section.
      </p>
      <fetcher.Form method="post" action={pagePath} className="mt-5">
        <label className="flex min-h-11 cursor-pointer items-start gap-3">
          <input
            type="checkbox"
            checked={showsName}
            onChange={({ target }) => saveChoice(target.checked)}
            className="mt-1 size-5 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-semibold">Show my full name</span>
            <span className="text-muted">
              {shownName(showsName ? holder.name : getInitials(holder.name), showsName)}
            </span>
          </span>
        </label>
      </fetcher.Form>
      <NameCorrection holder={holder} text={text} />
      <div className="mt-5 flex flex-wrap gap-3">
        <CopyLinkButton url={text.url} />
        {text.status === 'valid' && (
          <a
            href={linkedInUrl(text)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center rounded-control px-5 font-semibold text-ink no-underline hover:bg-sunken"
          >
            Add to LinkedIn
          </a>
        )}
      </div>
      <p role="status" className="sr-only">
        {hasSaved ? certificateMessages.choiceSaved : ''}
      </p>
      {hasFailed && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {certificateMessages.choiceNotSaved}
        </p>
      )}
    </section>
  )
}

function NameCorrection({ holder, text }: { holder: HolderView; text: CertificateText }) {
  const { name, currentName } = holder
  const canReissue = holder.canReissue && text.status === 'valid'
  if (name !== currentName) {
    return canReissue ? (
      <ReissueForm holder={holder} number={text.number} />
    ) : (
      <Notice variant="info" className="mt-5 max-w-2xl">
        {certificateMessages.nameCorrection.ask(name, currentName)}
      </Notice>
    )
  }

  const describeCorrection = canReissue
    ? certificateMessages.nameCorrection.reissueLater
    : certificateMessages.nameCorrection.askLater

  return (
    <p className="mt-4 max-w-2xl text-muted">
      {describeCorrection((linkText) => (
        <Link to="/Profile/settings" className={inlineLink}>
          {linkText}
        </Link>
      ))}
    </p>
  )
}

/** Reissues the certificate in the holder's current name, and opens the new one. */
function ReissueForm({ holder, number }: { holder: HolderView; number: string }) {
  const navigate = useNavigate()
  const form = useForm<{ nextUrl: string }>({
    onSuccess: ({ nextUrl }) => navigate(nextUrl),
    shouldRevalidate: false,
  })

  return (
    <Form
      form={form}
      hiddenValues={{ intent: 'reissue' }}
      action={`/Certificate/${number}`}
      className="mt-5 grid max-w-2xl justify-items-start gap-3"
    >
      <Notice variant="info">
        {certificateMessages.nameCorrection.reissue(holder.name, holder.currentName)}
      </Notice>
      <Button type="submit" variant="secondary" disabled={form.isBusy}>
        {form.isBusy
          ? certificateMessages.nameCorrection.buttonBusy
          : certificateMessages.nameCorrection.button}
      </Button>
      {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
    </Form>
  )
}

/** @param hasFailed whether the chosen value could not be stored */
function getDisplayedChoice(
  storedValue: boolean,
  chosenValue: boolean | null,
  hasFailed: boolean,
): boolean {
  if (chosenValue === null) {
    return storedValue
  }

  return hasFailed ? !chosenValue : chosenValue
}

function CopyLinkButton({ url }: { url: string }) {
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  const copyLink = async () => setIsCopied(await copyText(url))

  return (
    <div className="flex items-center gap-3">
      <Button variant="secondary" onClick={copyLink}>
        Copy link
      </Button>
      <span role="status" className={`font-medium ${isCopied ? 'text-good' : 'text-bad'}`}>
        {isCopied === true && copyOutcomes.copied}
        {isCopied === false && copyOutcomes.refused}
      </span>
    </div>
  )
}

/** Returns one sentence about a valid certificate for search engines and link previews. */
function summarizeCertificate(text: CertificateText, lessons: number): string {
  const { name, course, issuedOn } = text
  if (lessons === 0) {
    return `${name} passed the final exam of ${course}. Issued ${issuedOn}.`
  }

  return byCount(
    lessons,
    `${name} completed 1 lesson and passed the final exam of ${course}. Issued ${issuedOn}.`,
    `${name} completed ${lessons} lessons and passed the final exam of ${course}. Issued ${issuedOn}.`,
  )
}

function certificateTitle(learner: string, course: string): string {
  return `Certificate of ${learner}: ${course}`
}

function revokedOn(at: string): string {
  return `Revoked on ${formatDate(at)}.`
}

function shownName(name: string, isFullName: boolean): string {
  return isFullName
    ? `The page, PDF and Open Badge show ‘${name}’.`
    : `The page, PDF and Open Badge show only ‘${name}’.`
}
