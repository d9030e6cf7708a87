/** /Certificate/:id: the public page of a certificate. */
import { data } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  type CertificateText,
  certificateMessages,
  getCertificateText,
} from '~/features/certificates/certificate-messages'
import { CertificatePage } from '~/features/certificates/certificate-page'
import {
  findCertificate,
  readFromReplicaOrPrimary,
  recordNameChoice,
} from '~/features/certificates/certificate-queries.server'
import { reissueOwnCertificate } from '~/features/certificates/certificate-reissuing.server'
import { db } from '~/server/database/client.server'
import { createQrPath } from '~/server/drawing/qr-path.server'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { createClientAction } from '~/ui/form/client-action'
import { byCount } from '~/ui/format-count'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
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
    title: `Certificate of ${name}: ${course}`,
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

  const { revokedAt, revokedReason, replacedBy, course, status, progress } = certificate
  const text = getCertificateText(certificate, env.PUBLIC_URL)

  return {
    text,
    description:
      status === 'valid'
        ? summarizeCertificate(text, progress.lessons)
        : certificateMessages.invalidCertificate[status],
    courseId: course.published ? course.id : null,
    revocation: revokedAt && { at: revokedAt.toISOString(), reason: revokedReason, replacedBy },
    qr: createQrPath(text.url),
  }
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

/** Saves whether the page shows the full name, or reissues the certificate. Only the holder may. */
export async function action({ request, params }: Route.ActionArgs) {
  const learner = await findLearner(request)
  const demoProblem = learner && findDemoRefusal(learner.uid, 'certificate')
  if (demoProblem) {
    return errorResponse(demoProblem, { status: 403 })
  }

  const form = await readForm(request)
  if (form.get('intent') === 'reissue') {
    return reissueCertificate(learner?.uid ?? null, params.id)
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
async function reissueCertificate(uid: string | null, id: string) {
  if (uid === null) {
    return errorResponse(certificateMessages.notYourCertificate, { status: 403 })
  }

  const isWithinLimit = await accountService.attempts.consume(attemptLimits.reissueByAccount, uid)
  if (!isWithinLimit) {
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
