import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'

/**
 * OWASP's first choice for Argon2id (the library's default algorithm): 46 MiB, 1 pass, 1 lane. Of its equally strong second
 * choice, with 19 MiB, glibc would hold back the memory of each thread that has hashed.
 */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

/**
 * Hashing is expensive for the server and cheap to request. It runs in Node's thread pool, and one processor stays free
 * for everything else. The wait is at most a second or two.
 */
const hashes = limitConcurrency(Math.max(1, availableParallelism() - 1), { name: 'passwords', waiting: 60 })

/** Checked before a sign-in runs its first query. The queue may still be full afterward. */
export function passwordsAreFull(): boolean {
  return hashes.isFull
}

/** The same password however the keyboard composes accents (NIST SP 800-63B, 3.1.1.2). */
const composed = (password: string) => password.normalize('NFKC')

/** @returns null when more passwords wait than can be hashed in good time. */
export function hashPassword(password: string): Promise<string | null> {
  return unlessBusy(() => hash(composed(password), cost))
}

/** @returns null when more passwords wait than can be compared in good time. */
export function verifyPassword(password: string, hashed: string): Promise<boolean | null> {
  return unlessBusy(() => verify(hashed, composed(password)))
}

async function unlessBusy<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await hashes.run(work)
  } catch (error) {
    if (error instanceof BusyError) return null
    throw error
  }
}
