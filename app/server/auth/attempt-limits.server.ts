import { createHmac } from 'node:crypto'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'
import { rateLimits } from '../database/schema'

const minute = 60_000

export type AttemptLimit = { name: string; max: number; windowMs: number }

/** How often in how long; docs/operate.md tells operators. A window begins with its first attempt. */
export const attemptLimits = {
  passwordByAccount: { name: 'password-account', max: 5, windowMs: 15 * minute },
  passwordByAddress: { name: 'password-address', max: 30, windowMs: 15 * minute },
  registrationByAddress: { name: 'registration-address', max: 20, windowMs: 10 * minute },
  resetByAccount: { name: 'reset-account', max: 5, windowMs: 60 * minute },
  confirmationByAccount: { name: 'confirmation-account', max: 5, windowMs: 60 * minute },
  resetByAddress: { name: 'reset-address', max: 20, windowMs: 10 * minute },
  photoByAccount: { name: 'photo-account', max: 10, windowMs: 60 * minute },
} as const satisfies Record<string, AttemptLimit>

/** Several people, or a test suite, share one machine: its own address may do ten times as much. */
export const loopbackFactor = 10

/** Attempts by account or address, counted in the database, so that a restart or a second process forgets none. */
export class AttemptCounter {
  constructor(
    private db: Database,
    private secret: string,
    private now: () => number,
  ) {}

  /**
   * Counts an attempt before its outcome is known, in one statement, so that parallel ones cannot slip through.
   *
   * @returns false when the window is full.
   */
  async take(limit: AttemptLimit, subject: string, factor = 1): Promise<boolean> {
    const max = limit.max * factor
    const now = this.now()
    const over = lt(rateLimits.startedAt, now - limit.windowMs + 1)
    const [row] = await this.db
      .insert(rateLimits)
      .values({ key: this.#key(limit, subject), count: 1, startedAt: now })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          count: sql`case when ${over} then 1 else least(${rateLimits.count} + 1, ${max + 1}) end`,
          startedAt: sql`case when ${over} then ${now} else ${rateLimits.startedAt} end`,
        },
      })
      .returning({ count: rateLimits.count })
    return row !== undefined && row.count <= max
  }

  /** The attempt turned out to be a good one. */
  async giveBack(limit: AttemptLimit, subject: string): Promise<void> {
    const row = and(eq(rateLimits.key, this.#key(limit, subject)), gt(rateLimits.count, 0))
    await this.db
      .update(rateLimits)
      .set({ count: sql`${rateLimits.count} - 1` })
      .where(row)
  }

  async clear(limit: AttemptLimit, subject: string): Promise<void> {
    await this.db.delete(rateLimits).where(eq(rateLimits.key, this.#key(limit, subject)))
  }

  /** Windows that are long over. */
  async purge(): Promise<void> {
    await this.db.delete(rateLimits).where(lt(rateLimits.startedAt, this.now() - 24 * 60 * minute))
  }

  /** The database learns no address. */
  #key(limit: AttemptLimit, subject: string): string {
    return `${limit.name}:${createHmac('sha256', this.secret).update(subject).digest('base64url').slice(0, 22)}`
  }
}

const maxWaiting = 20

/**
 * One attempt at a time per account in this process: a learner's parallel requests with the right password wait for each
 * other instead of counting as wrong ones, and nobody can make the server hash without end.
 */
export class Turnstile {
  #waiting = new Map<string, { tail: Promise<unknown>; length: number }>()

  /** @returns null when too many wait already. */
  async pass<T>(key: string, attempt: () => Promise<T>): Promise<T | null> {
    const queue = this.#waiting.get(key) ?? { tail: Promise.resolve(), length: 0 }
    if (queue.length >= maxWaiting) return null
    const mine = queue.tail.then(attempt, attempt)
    queue.tail = mine.catch(() => {})
    queue.length += 1
    this.#waiting.set(key, queue)
    try {
      return await mine
    } finally {
      queue.length -= 1
      if (queue.length === 0) this.#waiting.delete(key)
    }
  }
}
