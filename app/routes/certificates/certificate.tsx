import { data } from 'react-router'
import { demoRefusal } from '~/features/accounts/demo-account.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { CertificateHolderPanel } from '~/features/certificates/certificate-holder-panel'
import {
  certificateNotFound,
  certificateSentence,
  certificateTitle,
  invalidCertificate,
  notYours,
} from '~/features/certificates/certificate-messages'
import { CertificatePage } from '~/features/certificates/certificate-page'
import {
  findCertificate,
  readCertificate,
  recordNameChoice,
} from '~/features/certificates/certificate-queries.server'
import { certificateText } from '~/features/certificates/certificate-text'
import { db } from '~/server/database/client.server'
import { qrPath } from '~/server/drawing/qr-path.server'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { unreadableForm } from '~/server/http/server-messages.server'
import { createClientAction } from '~/ui/form/client-action'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import { useViewer, type ViewerQuestion } from '~/viewer'
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

  const { description } = loaderData
  const { name, course, number } = loaderData.text
  const title = certificateTitle(name, course)

  return pageMeta({
    title,
    description,
    path: null,
    image: `/Certificate/${number}/picture.png`,
    matches,
  })
}

export async function loader({ params }: Route.LoaderArgs) {
  const certificate = await readCertificate((from) => findCertificate(from, params.id))
  if (!certificate) {
    throw data(certificateNotFound.sentence, { status: 404 })
  }

  const text = certificateText(certificate, env.PUBLIC_URL)
  const { revokedAt, revokedReason, replacedBy, course, state, work } = certificate

  return {
    text,
    description:
      state === 'valid'
        ? certificateSentence(text.name, work.lessons, text.course, text.issuedOn)
        : invalidCertificate[state],
    courseId: course.published ? course.id : null,
    revoked: revokedAt && { at: revokedAt.toISOString(), reason: revokedReason, replacedBy },
    qr: qrPath(text.address),
  }
}

/** Only the holder chooses whether the full name is shown. */
export async function action({ request, params }: Route.ActionArgs) {
  const learner = await findLearner(request)
  const refused = learner && demoRefusal(learner.uid, 'certificate')
  if (refused) {
    return errorResponse(refused, { status: 403 })
  }

  const showsName = (await readForm(request)).get('showsName')
  if (showsName !== 'yes' && showsName !== 'no') {
    return errorResponse(unreadableForm)
  }

  const mine = learner && (await recordNameChoice(db, learner.uid, params.id, showsName === 'yes'))
  if (!mine) {
    return errorResponse(notYours, { status: 403 })
  }

  return successResponse()
}

export const clientAction = createClientAction<typeof action>()

export const handle: ViewerQuestion<Awaited<ReturnType<typeof loader>>> = {
  asksViewer: ({ text }) => ({ certificate: text.number }),
}

export default function CertificateRoute({ loaderData }: Route.ComponentProps) {
  const { uid, certificate } = useViewer()
  const { text } = loaderData
  const holder = certificate?.id === text.number ? certificate : null

  return (
    <CertificatePage
      {...loaderData}
      holderPanel={holder && <CertificateHolderPanel key={uid} text={text} holder={holder} />}
    />
  )
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: certificateNotFound.heading,
  title: certificateNotFound.title,
  text: certificateNotFound.text,
  link: { to: '/', label: 'Go to the home page' },
})
