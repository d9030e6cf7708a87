import { data } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import {
  certificateNotFound,
  certificateTitle,
  getCertificateText,
  invalidCertificate,
  nameCorrection,
  notYourCertificate,
  summarizeCertificate,
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
import { unreadableForm } from '~/server/http/server-messages.server'
import { createClientAction } from '~/ui/form/client-action'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import { useViewer, type ViewerHandle } from '~/viewer'
import type { Route } from './+types/certificate'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({
      title: certificateNotFound.heading,
      description: certificateNotFound.sentence,
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
    throw data(certificateNotFound.sentence, { status: 404 })
  }

  const { revokedAt, revokedReason, replacedBy, course, status, work } = certificate
  const text = getCertificateText(certificate, env.PUBLIC_URL)

  return {
    text,
    description:
      status === 'valid' ? summarizeCertificate(text, work.lessons) : invalidCertificate[status],
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
    return errorResponse(unreadableForm)
  }

  if (!learner) {
    return errorResponse(notYourCertificate, { status: 403 })
  }

  const isHolder = await recordNameChoice(db, learner.uid, params.id, showsName === 'yes')
  if (!isHolder) {
    return errorResponse(notYourCertificate, { status: 403 })
  }

  return successResponse()
}

/** @param uid null for a visitor */
async function reissue(uid: string | null, id: string) {
  if (uid === null) {
    return errorResponse(notYourCertificate, { status: 403 })
  }

  if (!(await accountService.attempts.consume(attemptLimits.reissueByAccount, uid))) {
    return errorResponse(nameCorrection.tooOften, { status: 429 })
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
  getViewerQuery: ({ text }) => ({ certificate: text.number }),
}

export default function CertificateRoute({ loaderData }: Route.ComponentProps) {
  const { certificate } = useViewer()
  const { text } = loaderData
  const holder = certificate?.id === text.number ? certificate : null

  return <CertificatePage {...loaderData} holder={holder} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: certificateNotFound.heading,
  title: certificateNotFound.title,
  text: certificateNotFound.text,
  link: { to: '/', label: 'Go to the home page' },
})
