import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { env, StartError } from '../env.server'

const secretsFile = z.object({ authSecret: z.string().min(32) })

/**
 * The secret that signs cookies: `AUTH_SECRET`, or one that is generated once and stored beside the
 * data.
 *
 * @throws {StartError} if the file is there but cannot be read.
 */
export async function authSecret(dataDir: string, given?: string): Promise<string> {
  if (given) {
    return given
  }

  const file = path.join(dataDir, 'secrets.json')
  return (await readSecret(file)) ?? (await makeSecret(file))
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
 * Whole or not at all, and of several processes that start at once the first one's secret holds for
 * all.
 */
async function makeSecret(file: string): Promise<string> {
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

let current: Promise<string> | undefined

const signBy = (secret: string, purpose: string, parts: readonly (string | number)[]) =>
  createHmac('sha256', secret)
    .update(JSON.stringify([purpose, ...parts]))
    .digest('base64url')

/**
 * Signs a value that a browser stores and returns.
 *
 * @param purpose makes a signature valid for one use only.
 */
export async function sign(purpose: string, parts: readonly (string | number)[]): Promise<string> {
  current ??= authSecret(env.DATA_DIR, env.AUTH_SECRET)
  return signBy(await current, purpose, parts)
}

/** @param former secrets, whose signatures go on. */
export async function isSigned(
  purpose: string,
  parts: readonly (string | number)[],
  signature: string,
  former: readonly string[] = env.AUTH_SECRET_FORMER,
): Promise<boolean> {
  const given = Buffer.from(signature)
  const signatures = [
    await sign(purpose, parts),
    ...former.map((secret) => signBy(secret, purpose, parts)),
  ]

  return signatures.some(
    (one) => one.length === given.length && timingSafeEqual(Buffer.from(one), given),
  )
}
