import { certificateMessages } from '~/features/certificates/certificate-messages'
import { readFromReplicaOrPrimary } from '~/features/certificates/certificate-queries.server'
import { findCertificateFile } from '~/features/certificates/file/certificate-files.server'
import type { Route } from './+types/certificate-picture'

/** Responds with the picture that link previews of a certificate show. */
export async function loader({ params }: Route.LoaderArgs) {
  const picture = await readFromReplicaOrPrimary((db) =>
    findCertificateFile(db, params.id, 'picture'),
  )
  if (!picture) {
    throw new Response(certificateMessages.certificateNotFound.sentence, { status: 404 })
  }

  return new Response(new Uint8Array(picture), {
    headers: {
      'Content-Type': 'image/png',
      'Content-Length': String(picture.length),
      'Cache-Control': 'private, no-cache',
      'X-Robots-Tag': 'noindex',
    },
  })
}
