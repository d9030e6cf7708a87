import { data, isRouteErrorResponse, type ShouldRevalidateFunctionArgs, useRouteError } from 'react-router'
import { useAuth } from '~/features/accounts/auth-provider'
import { CertificateHolderPanel } from '~/features/learning/certificate/certificate-holder-panel'
import { CertificateNotFound } from '~/features/learning/certificate/certificate-not-found'
import { CertificatePage } from '~/features/learning/certificate/certificate-page'
import { findCertificate, recordNameChoice } from '~/features/learning/certificate/certificate-queries.server'
import { certificateText } from '~/features/learning/certificate/certificate-text'
import { qrPath } from '~/features/learning/certificate/qr-path.server'
import { demoRefusal } from '~/server/auth/shared-demo.server'
import { db } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { readForm } from '~/server/request-body.server'
import { requireLearner } from '~/server/session.server'
import { answerOr } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/certificate'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({
      title: 'Certificate not found',
      description: 'No certificate has this number.',
      path: null,
      matches,
    })
  }
  const { name, course, issuedOn, number, state } = loaderData.text
  const title = `Certificate of ${name}: ${course}`
  const description =
    state === 'valid'
      ? `${name} did every lesson of ${course} and passed its final exam. Issued on ${issuedOn}.`
      : `This certificate is ${state} and no longer valid.`
  return pageMeta({ title, description, path: null, image: `/Certificate/${number}/picture.png`, matches })
}

export async function loader({ params }: Route.LoaderArgs) {
  const certificate = await findCertificate(db, params.id)
  if (!certificate) throw data('No certificate has this number.', { status: 404 })
  const text = certificateText(certificate, env.PUBLIC_URL)
  const { revokedAt, revokedReason, replacedBy, course } = certificate
  return {
    text,
    courseId: course.published ? course.id : null,
    revoked: revokedAt && { at: revokedAt.toISOString(), reason: revokedReason, replacedBy },
    qr: qrPath(text.address),
  }
}

/** Only the holder chooses whether the full name is shown. */
export async function action({ request, params }: Route.ActionArgs) {
  const { uid } = await requireLearner(request)
  const refused = demoRefusal(uid, 'certificate')
  if (refused) throw data(refused, { status: 403 })
  const showsName = (await readForm(request)).get('showsName')
  if (showsName !== 'yes' && showsName !== 'no') throw data('This cannot be understood.', { status: 400 })
  const mine = await recordNameChoice(db, uid, params.id, showsName === 'yes')
  if (!mine) throw data('This is not your certificate.', { status: 403 })
  return { showsName: showsName === 'yes' }
}

/** Without a connection the page stays as it is. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, () => ({ showsName: null }))
}

export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionResult?.showsName !== null && defaultShouldRevalidate
}

export default function CertificateRoute({ loaderData }: Route.ComponentProps) {
  const { user } = useAuth()
  const { number } = loaderData.text
  return (
    <CertificatePage
      {...loaderData}
      holderPanel={user && <CertificateHolderPanel key={user.uid} text={loaderData.text} id={number} />}
    />
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <CertificateNotFound />
  throw error
}
