/**
 * Hashes and verifies passwords.
 *
 * Hashing is expensive, so it runs in a short queue. If the queue is full, functions return `busy`
 * or null, and the caller tells the person to try again. `password-check.server.ts` limits the
 * attempts.
 */
import { availableParallelism } from 'node:os'
import { hash as hashArgon2, hashRaw, verify } from '@node-rs/argon2'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'

/**
 * OWASP's first choice for Argon2id, which is the library's default algorithm: 46 MiB, 1 pass, 1
 * lane. The second choice with 19 MiB is as strong, but glibc would keep the memory of each thread
 * that has hashed.
 */
const argon2Cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

/**
 * Hashing is expensive for the server and cheap to request. It runs in Node's thread pool and
 * leaves one processor free for everything else. A password waits for a second or two at most.
 */
const hashingQueue = limitConcurrency(Math.max(1, availableParallelism() - 1), {
  name: 'passwords',
  maxWaiting: 60,
})

/**
 * Returns whether too many passwords are waiting. Callers check this before their first query. The
 * queue may still fill up afterwards.
 */
export function isPasswordQueueFull(): boolean {
  return hashingQueue.isFull
}

/**
 * Makes a password independent of how the keyboard composes accents (NIST SP 800-63B, 3.1.1.2).
 */
function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** @returns null if too many passwords are waiting */
export function hashPassword(password: string): Promise<string | null> {
  return runUnlessBusy(() => hashArgon2(normalizePassword(password), argon2Cost))
}

type PasswordVerification = 'right' | 'wrong' | 'busy'

/** @returns `busy` if too many passwords are waiting */
export async function verifyPassword(
  password: string,
  passwordHash: string,
): Promise<PasswordVerification> {
  const isRight = await runUnlessBusy(() => verify(passwordHash, normalizePassword(password)))
  if (isRight === null) {
    return 'busy'
  }

  return isRight ? 'right' : 'wrong'
}

/**
 * Hashes a secret that is found by its hash, unlike a password.
 *
 * @returns null if too many passwords are waiting
 */
export async function hashWithSalt(secret: string, salt: string): Promise<string | null> {
  const hash = await runUnlessBusy(() =>
    hashRaw(secret, { ...argon2Cost, salt: Buffer.from(salt, 'base64url') }),
  )
  return hash === null ? null : hash.toString('base64url')
}

/** @returns null if the queue is full */
async function runUnlessBusy<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await hashingQueue.run(task)
  } catch (error) {
    if (error instanceof BusyError) {
      return null
    }

    throw error
  }
}
