/**
 * A certificate for TLS on loopback, made when it is needed, so that no key lies in the repository.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const dayMs = 24 * 60 * 60 * 1000
const oids = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', subjectAltName: '551d11' }
const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
}

/**
 * X.509 version 3 (RFC 5280), P-256, valid from yesterday until tomorrow.
 *
 * @param host the name that it stands for.
 * @returns both as PEM.
 */
export function selfSignedCertificate(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(tags.sequence, oid(oids.ecdsaWithSha256))
  const name = der(
    tags.sequence,
    der(tags.set, der(tags.sequence, oid(oids.commonName), der(tags.utf8, Buffer.from(host)))),
  )
  const version3 = der(0xa0, der(tags.integer, Buffer.from([2])))
  const serial = der(tags.integer, Buffer.from([1, ...randomBytes(8)]))
  const validity = der(tags.sequence, time(Date.now() - dayMs), time(Date.now() + dayMs))
  const names = der(tags.octets, der(tags.sequence, der(0x82, Buffer.from(host))))
  const extensions = der(
    0xa3,
    der(tags.sequence, der(tags.sequence, oid(oids.subjectAltName), names)),
  )
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(
    tags.sequence,
    version3,
    serial,
    algorithm,
    name,
    validity,
    name,
    key,
    extensions,
  )
  const signature = der(tags.bits, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = der(tags.sequence, body, algorithm, signature).toString('base64')

  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** One value of ASN.1's distinguished encoding: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content

  return Buffer.concat([Buffer.from([tag, ...encodeLength(length)]), content])
}

function encodeLength(length: number): number[] {
  if (length < 128) {
    return [length]
  }

  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
}

function oid(hex: string): Buffer {
  return der(tags.oid, Buffer.from(hex, 'hex'))
}

/** YYMMDDhhmmssZ */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(tags.time, Buffer.from(digits.slice(2)))
}
