import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** What the device says of itself with an answer. */
type Said = { userVerified?: boolean; counter?: number; origin?: string }

/** An authenticator with one passkey, made of keys in memory (Web Authentication, level 3). */
export class SoftwarePasskey {
  id = randomBytes(16)
  #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor(private origin: string) {}

  register({ challenge }: { challenge: string }, said: Said = {}): RegistrationResponseJSON {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      left,
      Buffer.from('225820', 'hex'),
      right,
    ])
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      key,
    ])
    const data = Buffer.concat([this.#authenticatorData(0x40, said), credential])
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615900', 'hex'),
      Buffer.from([data.length]),
      data,
    ])
    const client = this.#clientData('webauthn.create', challenge, said)

    return {
      ...this.#frame(),
      response: {
        clientDataJSON: base64url(client),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    }
  }

  authenticate({ challenge }: { challenge: string }, said: Said = {}): AuthenticationResponseJSON {
    const data = this.#authenticatorData(0, said)
    const client = this.#clientData('webauthn.get', challenge, said)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey)

    return {
      ...this.#frame(),
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      },
    }
  }

  #frame() {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #authenticatorData(flags: number, { userVerified = true, counter = 0 }: Said): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const present = 0x01
    const verified = userVerified ? 0x04 : 0

    return Buffer.concat([
      sha256(new URL(this.origin).hostname),
      Buffer.from([flags | present | verified]),
      count,
    ])
  }

  #clientData(type: string, challenge: string, { origin = this.origin }: Said): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }
}
