import { certificateMessages } from '~/features/certificates/certificate-messages'
import { readFromReplicaOrPrimary } from '~/features/certificates/certificate-queries.server'
import { findCertificateFile } from '~/features/certificates/file/certificate-files.server'
import type { Route } from './+types/certificate-pdf'

/** Responds with the certificate as a PDF. */
export async function loader({ params }: Route.LoaderArgs) {
  const pdf = await readFromReplicaOrPrimary((db) => findCertificateFile(db, params.id, 'pdf'))
  if (!pdf) {
    throw new Response(certificateMessages.certificateNotFound.sentence, { status: 404 })
  }

  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Length': String(pdf.length),
      'Content-Disposition': 'inline; filename="learnify-certificate.pdf"',
      'Cache-Control': 'private, no-cache',
      'X-Robots-Tag': 'noindex',
    },
  })
}
