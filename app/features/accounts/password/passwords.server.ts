import { hash, verify } from '@node-rs/argon2'
import { watchTurns } from '~/server/metrics/turns.server'

/**
 * OWASP's first choice for Argon2id (the library's default algorithm): 19 MiB, 2 passes, 1 lane; about 30 ms, off the
 * main thread.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Half of the threads that also read files; a second or two of waiting, then it is fairer to say so. */
const mostAtOnce = 2
const mostWaiting = 60

let running = 0
let refused = 0
const waiting: (() => void)[] = []
watchTurns('passwords', () => ({ running, waiting: waiting.length, refused }))

/**
 * Hashing is expensive for us and cheap to request, so both running and waiting hashes are limited.
 *
 * @returns null without having begun when too many wait already.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T | null> {
  if (running < mostAtOnce) running += 1
  else if (waiting.length >= mostWaiting) {
    refused += 1
    return null
  } else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** The same password however the keyboard composes accents (NIST SP 800-63B, 3.1.1.2). */
const composed = (password: string) => password.normalize('NFKC')

/** @returns null when more passwords wait than can be hashed in good time. */
export function hashPassword(password: string): Promise<string | null> {
  return inTurn(() => hash(composed(password), cost))
}

/** @returns null when more passwords wait than can be compared in good time. */
export function verifyPassword(password: string, hashed: string): Promise<boolean | null> {
  return inTurn(() => verify(hashed, composed(password)))
}
