import { certificateMessages } from '~/features/certificates/certificate-messages'
import { readFromReplicaOrPrimary } from '~/features/certificates/certificate-queries.server'
import {
  credentialHeaders,
  getSignedCredential,
} from '~/features/certificates/credential/credential-queries.server'
import type { Route } from './+types/certificate-credential'

/** Responds with the signed Open Badges 3.0 credential, for verifiers and wallets. */
export async function loader({ params }: Route.LoaderArgs) {
  const credential = await readFromReplicaOrPrimary((db) => getSignedCredential(db, params.id))
  if (!credential) {
    throw new Response(certificateMessages.credentialNotFound, { status: 404 })
  }

  return new Response(JSON.stringify(credential, null, 2), {
    headers: {
      ...credentialHeaders,
      'Content-Disposition': 'inline; filename="learnify-credential.json"',
    },
  })
}
