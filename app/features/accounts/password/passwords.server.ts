import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { watchTurns } from '~/server/metrics/turns.server'
import { type HashingTask, HashingThreads } from './hashing-threads.server'
import { Pace } from './pace'

/** On two cores, a second one makes no sign-in sooner and every page later. */
const mostAtOnce = 1
/** A second or two of waiting; then it is fairer to say so. */
const mostWaiting = 60

const threads = new HashingThreads()
const pace = new Pace({
  now: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  pause,
})
let running = 0
let refused = 0
const waiting: (() => void)[] = []
watchTurns('passwords', () => ({ running, waiting: waiting.length, refused }))

/**
 * For whoever needs one hash: asked before everything else, so that a refusal in a storm costs no query. Whoever comes just
 * before the last place is taken may still be refused later.
 */
export function passwordsAreFull(): boolean {
  if (waiting.length < mostWaiting) return false
  refused += 1
  return true
}

/**
 * Hashing is expensive for us and cheap to request, so both running and waiting hashes are limited.
 *
 * @returns null without having begun when too many wait already.
 */
async function inTurn(task: HashingTask): Promise<string | boolean | null> {
  if (running < mostAtOnce) running += 1
  else if (waiting.length >= mostWaiting) {
    refused += 1
    return null
  } else await new Promise<void>((resolve) => waiting.push(resolve))
  const nextBegins = pace.begin()
  try {
    return await threads.run(task)
  } finally {
    void nextBegins().then(passOn)
  }
}

function passOn(): void {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

/** The same password however the keyboard composes accents (NIST SP 800-63B, 3.1.1.2). */
const composed = (password: string) => password.normalize('NFKC')

/** @returns null when more passwords wait than can be hashed in good time. */
export async function hashPassword(password: string): Promise<string | null> {
  return (await inTurn({ password: composed(password) })) as string | null
}

/** @returns null when more passwords wait than can be compared in good time. */
export async function verifyPassword(password: string, hashed: string): Promise<boolean | null> {
  return (await inTurn({ password: composed(password), hashed })) as boolean | null
}
