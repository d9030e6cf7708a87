import { getIssuerDocument } from '~/features/certificates/credential/credential-queries.server'

/** /.well-known/did.json: the public keys that certificates are checked with. */
export async function loader() {
  return new Response(JSON.stringify(await getIssuerDocument(), null, 2), {
    headers: {
      'Content-Type': 'application/did+json',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-cache',
    },
  })
}
