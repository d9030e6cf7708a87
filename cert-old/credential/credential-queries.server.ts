import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { findCredentialFacts, findRevokedPlaces } from '../certificate-queries.server'
import { statusListLength } from '../certificate-text'
import {
  issuerDocument,
  type JsonObject,
  openBadgeCredential,
  statusListCredential,
} from './credential-document'
import { getSigningKey, listPublicKeys } from './credential-keys.server'
import { signCredential } from './credential-proof.server'

type Place = { origin: string; dataDir: string }
const here: Place = { origin: env.PUBLIC_URL, dataDir: env.DATA_DIR }

/**
 * Signing takes about 30 ms of processor time, and equal facts give equal bytes. A credential has
 * about 4 kB.
 */
const signedCredentials = new LRUCache<string, JsonObject>({ max: 1000 })

/** The signed Open Badges 3.0 credential of a certificate; null for an unknown or withdrawn one. */
export async function findCredential(
  db: Database,
  id: string,
  place: Place = here,
): Promise<JsonObject | null> {
  const facts = await findCredentialFacts(db, id, place.origin)
  if (!facts) {
    return null
  }

  const key = await getSigningKey(place.dataDir)
  // Signed by a newer key, it counts as signed when that key was made: the same certificate has the
  // same bytes each time.
  const created = new Date(Math.max(facts.issuedAt.getTime(), Date.parse(key.createdAt)))
  const document = openBadgeCredential(facts)
  const cacheKey = JSON.stringify([document, key.publicKeyMultibase, place.origin, created])
  const cached = signedCredentials.get(cacheKey)
  if (cached) {
    return cached
  }

  const credential = await signCredential(document, key, place.origin, created.toISOString())
  signedCredentials.set(cacheKey, credential)

  return credential
}

/** The signed status list as it is now; null if there is no such list. */
export async function findStatusList(
  db: Database,
  list: number,
  now: Date,
  place: Place = here,
): Promise<JsonObject | null> {
  const places = await findRevokedPlaces(db, list)
  if (!places) {
    return null
  }

  const document = statusListCredential(place.origin, list, encodeStatusList(places), now)

  return signCredential(
    document,
    await getSigningKey(place.dataDir),
    place.origin,
    now.toISOString(),
  )
}

/** The issuer's DID document with every key that ever signed. */
export async function getIssuerDocument({ origin, dataDir }: Place = here) {
  return issuerDocument(origin, await listPublicKeys(dataDir))
}

/**
 * The bits of a Bitstring Status List 1.0, the first place leftmost: gzip, then base64url with its
 * multibase prefix.
 *
 * @param places indexes whose bit is set.
 */
function encodeStatusList(places: readonly number[]): string {
  const bits = new Uint8Array(statusListLength / 8)
  for (const place of places) {
    const byte = place >> 3
    bits[byte] = (bits[byte] ?? 0) | (0x80 >> (place & 7))
  }

  return `u${gzipSync(bits).toString('base64url')}`
}

/**
 * Allows any origin, because verifiers also run in browsers. Caches have to revalidate, so that
 * each request gets the current state.
 */
export const credentialHeaders = {
  'Content-Type': 'application/vc',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-cache',
  'X-Robots-Tag': 'noindex',
}
