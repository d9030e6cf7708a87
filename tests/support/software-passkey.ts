import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** What the authenticator claims in a response. The defaults are those of a correct one. */
type Claims = { userVerified?: boolean; counter?: number; origin?: string }

const flags = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 }

/**
 * An authenticator with one passkey, whose keys are in memory. It follows Web Authentication, level
 * 3. The hexadecimal constants are CBOR.
 */
export class SoftwarePasskey {
  id = randomBytes(16)
  #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor(private origin: string) {}

  register({ challenge }: { challenge: string }, claims: Claims = {}): RegistrationResponseJSON {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      publicKey,
    ])
    const authenticatorData = Buffer.concat([
      this.#authenticatorData(flags.hasCredential, claims),
      credential,
    ])
    // {"fmt": "none", "attStmt": {}, "authData": authenticatorData}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615900', 'hex'),
      Buffer.from([authenticatorData.length]),
      authenticatorData,
    ])
    const clientData = this.#clientData('webauthn.create', challenge, claims)

    return {
      ...this.#createResponse(),
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    }
  }

  authenticate(
    { challenge }: { challenge: string },
    claims: Claims = {},
  ): AuthenticationResponseJSON {
    const authenticatorData = this.#authenticatorData(0, claims)
    const clientData = this.#clientData('webauthn.get', challenge, claims)
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, sha256(clientData)]),
      this.#keys.privateKey,
    )

    return {
      ...this.#createResponse(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      },
    }
  }

  #createResponse() {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #authenticatorData(extraFlags: number, { userVerified = true, counter = 0 }: Claims): Buffer {
    const counterBytes = Buffer.alloc(4)
    counterBytes.writeUInt32BE(counter)
    const verifiedFlag = userVerified ? flags.userVerified : 0

    return Buffer.concat([
      sha256(new URL(this.origin).hostname),
      Buffer.from([extraFlags | flags.userPresent | verifiedFlag]),
      counterBytes,
    ])
  }

  #clientData(type: string, challenge: string, { origin = this.origin }: Claims): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }
}
