/**
 * Creates a certificate for TLS on loopback when a test needs one, so that the repository contains
 * no key. The certificate follows X.509 version 3 (RFC 5280) and is encoded in ASN.1's
 * distinguished encoding rules (DER).
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const dayMs = 24 * 60 * 60 * 1000
const oids = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', subjectAltName: '551d11' }
const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  /** Context-specific tags of RFC 5280. */
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
}

/**
 * Creates a P-256 key and a certificate that is valid from yesterday until tomorrow.
 *
 * @param host the host name of the certificate
 * @returns the private key and the certificate, as PEM
 */
export function selfSignedCertificate(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signatureAlgorithm = der(tags.sequence, oid(oids.ecdsaWithSha256))
  const distinguishedName = der(
    tags.sequence,
    der(
      tags.set,
      der(tags.sequence, oid(oids.commonName), der(tags.utf8String, Buffer.from(host))),
    ),
  )
  const version = der(tags.version, der(tags.integer, Buffer.from([2])))
  const serial = der(tags.integer, Buffer.from([1, ...randomBytes(8)]))
  const validity = der(tags.sequence, utcTime(Date.now() - dayMs), utcTime(Date.now() + dayMs))
  const alternativeNames = der(
    tags.octetString,
    der(tags.sequence, der(tags.dnsName, Buffer.from(host))),
  )
  const extensions = der(
    tags.extensions,
    der(tags.sequence, der(tags.sequence, oid(oids.subjectAltName), alternativeNames)),
  )
  const subjectPublicKey = publicKey.export({ type: 'spki', format: 'der' })
  const certificateBody = der(
    tags.sequence,
    version,
    serial,
    signatureAlgorithm,
    distinguishedName,
    validity,
    distinguishedName,
    subjectPublicKey,
    extensions,
  )
  const signature = der(
    tags.bitString,
    Buffer.from([0]),
    sign('sha256', certificateBody, privateKey),
  )
  const certificate = der(tags.sequence, certificateBody, signatureAlgorithm, signature)
  const base64Lines = certificate.toString('base64').match(/.{1,64}/g) ?? []

  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64Lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** Encodes one value: its tag, its length and its content. */
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

/** Encodes a time as YYMMDDhhmmssZ. */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(tags.utcTime, Buffer.from(digits.slice(2)))
}
