/**
 * Signs values that a browser stores and returns, such as cookies and links in emails.
 *
 * The secret is the setting `AUTH_SECRET`. Without it, a secret is generated once and stored in
 * `DATA_DIR`, so that a new installation is safe without configuration.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { env, StartError } from '../env.server'

type SignedParts = readonly (string | number)[]

/** The secret is loaded once per process. */
let loadedSecret: Promise<string> | undefined

/**
 * Returns a signature of the parts of a value.
 *
 * @param purpose names what the value is for; a signature is not valid for any other purpose
 */
export async function sign(purpose: string, parts: SignedParts): Promise<string> {
  loadedSecret ??= loadSecret(env.DATA_DIR, env.AUTH_SECRET)
  return signWithSecret(await loadedSecret, purpose, parts)
}

/**
 * Returns whether a signature belongs to the parts and the purpose.
 *
 * @param previousSecrets secrets whose signatures are still valid
 */
export async function isValidSignature(
  purpose: string,
  parts: SignedParts,
  signature: string,
  previousSecrets: readonly string[] = env.AUTH_SECRET_FORMER,
): Promise<boolean> {
  const validSignatures = [
    await sign(purpose, parts),
    ...previousSecrets.map((secret) => signWithSecret(secret, purpose, parts)),
  ]

  return validSignatures.some((validSignature) => areEqual(signature, validSignature))
}

function signWithSecret(secret: string, purpose: string, parts: SignedParts): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([purpose, ...parts]))
    .digest('base64url')
}

/**
 * Compares two texts in constant time, so that nobody can guess a signature character by character.
 */
function areEqual(text: string, otherText: string): boolean {
  const bytes = Buffer.from(text)
  const otherBytes = Buffer.from(otherText)
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

const secretsSchema = z.object({ authSecret: z.string().min(32) })

/**
 * Returns the secret with which values are signed.
 *
 * @param configuredSecret the setting `AUTH_SECRET`, if it is set
 * @throws {StartError} if the file exists but can't be read
 */
export async function loadSecret(dataDir: string, configuredSecret?: string): Promise<string> {
  if (configuredSecret) {
    return configuredSecret
  }

  const filePath = path.join(dataDir, 'secrets.json')
  const storedSecret = await readSecret(filePath)
  return storedSecret ?? createSecret(filePath)
}

async function readSecret(filePath: string): Promise<string | null> {
  try {
    const text = await readFile(filePath, 'utf8')
    return secretsSchema.parse(JSON.parse(text)).authSecret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null
    }

    throw new StartError(
      `The secrets in ${filePath} can’t be read. Restore the file, or delete it to sign everyone out.`,
    )
  }
}

/**
 * Creates the file with a new secret, completely or not at all. If several processes start at the
 * same time, all of them use the secret of the first one, because `link` fails if the file exists.
 */
async function createSecret(filePath: string): Promise<string> {
  const draftPath = `${filePath}.${randomBytes(6).toString('hex')}`
  await mkdir(path.dirname(filePath), { recursive: true, mode: 0o700 })
  const secrets = { authSecret: randomBytes(32).toString('base64url') }
  await writeFile(draftPath, JSON.stringify(secrets), { mode: 0o600 })

  try {
    await link(draftPath, filePath)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error
    }
  } finally {
    await rm(draftPath, { force: true })
  }

  const secret = await readSecret(filePath)
  if (!secret) {
    throw new StartError(`Secrets couldn’t be saved in ${filePath}.`)
  }

  return secret
}
