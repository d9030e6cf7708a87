import { gzipSync } from 'node:zlib'
import { statusListLength } from './certificate-status'

/**
 * The bits of a Bitstring Status List 1.0, the first place leftmost: gzip, then base64url with its multibase prefix.
 *
 * @param places indexes whose bit is set.
 */
export function encodeStatusList(places: readonly number[]): string {
  const bits = new Uint8Array(statusListLength / 8)
  for (const place of places) {
    const byte = place >> 3
    bits[byte] = (bits[byte] ?? 0) | (0x80 >> (place & 7))
  }
  return `u${gzipSync(bits).toString('base64url')}`
}
