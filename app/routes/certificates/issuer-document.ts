import { getIssuerDocument } from '~/features/certificates/credential/credential-queries.server'

/** Responds to /.well-known/did.json with the public keys that verify certificates. */
export async function loader() {
  const document = await getIssuerDocument()

  return new Response(JSON.stringify(document, null, 2), {
    headers: {
      'Content-Type': 'application/did+json',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-cache',
    },
  })
}
