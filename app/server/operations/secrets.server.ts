import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { env, StartError } from '../env.server'

const secretsFile = z.object({ authSecret: z.string().min(32) })

/**
 * Returns the secret that signs cookies. It is the setting `AUTH_SECRET`, or a secret that is generated
 * once and stored in `DATA_DIR`.
 *
 * @throws {StartError} if the file exists but can't be read
 */
export async function authSecret(dataDir: string, setting?: string): Promise<string> {
  if (setting) {
    return setting
  }

  const file = path.join(dataDir, 'secrets.json')
  return (await readSecret(file)) ?? (await createSecret(file))
}

async function readSecret(file: string): Promise<string | null> {
  try {
    return secretsFile.parse(JSON.parse(await readFile(file, 'utf8'))).authSecret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null
    }

    throw new StartError(
      `The secrets in ${file} can’t be read. Restore the file, or delete it to sign everyone out.`,
    )
  }
}

/**
 * Creates the file with a new secret, completely or not at all. If several processes start at the same
 * time, all of them use the secret of the first one, because `link` fails if the file exists.
 */
async function createSecret(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(draft, JSON.stringify({ authSecret: randomBytes(32).toString('base64url') }), {
    mode: 0o600,
  })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error
    }
  } finally {
    await rm(draft, { force: true })
  }

  const secret = await readSecret(file)
  if (!secret) {
    throw new StartError(`Secrets couldn’t be saved in ${file}.`)
  }

  return secret
}

let currentSecret: Promise<string> | undefined

const signWith = (secret: string, purpose: string, parts: readonly (string | number)[]) =>
  createHmac('sha256', secret)
    .update(JSON.stringify([purpose, ...parts]))
    .digest('base64url')

/**
 * Signs a value that a browser stores and returns.
 *
 * @param purpose names what the value is for; a signature is not valid for any other purpose
 */
export async function sign(purpose: string, parts: readonly (string | number)[]): Promise<string> {
  currentSecret ??= authSecret(env.DATA_DIR, env.AUTH_SECRET)
  return signWith(await currentSecret, purpose, parts)
}

/**
 * Checks a signature.
 *
 * @param previousSecrets secrets whose signatures are still valid
 */
export async function isSigned(
  purpose: string,
  parts: readonly (string | number)[],
  signature: string,
  previousSecrets: readonly string[] = env.AUTH_SECRET_FORMER,
): Promise<boolean> {
  const signatureBytes = Buffer.from(signature)
  const validSignatures = [
    await sign(purpose, parts),
    ...previousSecrets.map((secret) => signWith(secret, purpose, parts)),
  ]

  return validSignatures.some(
    (validSignature) =>
      validSignature.length === signatureBytes.length &&
      timingSafeEqual(Buffer.from(validSignature), signatureBytes),
  )
}
