import { createHmac } from 'node:crypto'
import { eq, lt, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { rateLimits } from '~/server/database/schema/index'
import {
  type Attempt,
  type AttemptLimit,
  type AttemptSubject,
  attemptLimits,
} from './attempt-limits.server'

const twoDaysMs = 2 * 24 * 60 * 60_000

type AttemptCount = { limit: AttemptLimit; count: number; endsAt: Date }

/**
 * Counts attempts by account or client in fixed windows.
 *
 * Counts are rows in the database, so neither a restart nor a second process resets them. An
 * attempt is counted in one statement before its outcome is known, so parallel attempts cannot
 * exceed the limit. Subjects are stored as keyed hashes only.
 * docs/decisions/2026-11-28-rate-limits.md says why neither better-auth's rate limits nor
 * rate-limiter-flexible replace this file.
 */
export class AttemptCounter {
  constructor(
    private db: Database,
    private secret: string,
    private now: () => number,
  ) {}

  /** Returns a counter that reads and changes the same counts in a transaction. */
  inTransaction(tx: Database): AttemptCounter {
    return new AttemptCounter(tx, this.secret, this.now)
  }

  /**
   * Counts an attempt.
   *
   * @returns whether the attempt is within the limit
   */
  async consume(limit: AttemptLimit, subject: AttemptSubject, limitFactor = 1): Promise<boolean> {
    const max = limit.max * limitFactor
    const now = this.now()
    const isWindowOver = sql`${rateLimits.startedAt} <= ${now - limit.windowMs}`
    const [row] = await this.db
      .insert(rateLimits)
      .values({ key: this.#key(limit, subject), count: 1, startedAt: now })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          // The count stops one above the limit, so that it can't overflow.
          count: sql`
            case
              when ${isWindowOver} then 1
              else least(${rateLimits.count} + 1, ${max + 1}::int)
            end`,
          startedAt: sql`
            case
              when ${isWindowOver} then ${now}::bigint
              else ${rateLimits.startedAt}
            end`,
        },
      })
      .returning({ count: rateLimits.count })

    return row !== undefined && row.count <= max
  }

  /**
   * Counts an attempt against several limits in their order, and stops at the first one that is
   * exhausted.
   *
   * @returns whether the attempt is within all limits
   */
  async consumeAll(attempts: readonly Attempt[]): Promise<boolean> {
    for (const { limit, subject, limitFactor } of attempts) {
      if (!(await this.consume(limit, subject, limitFactor))) {
        return false
      }
    }

    return true
  }

  /** Returns whether another attempt would exceed the limit, without counting one. */
  async isExhausted({ limit, subject, limitFactor = 1 }: Attempt): Promise<boolean> {
    const [row] = await this.db
      .select({ count: rateLimits.count, startedAt: rateLimits.startedAt })
      .from(rateLimits)
      .where(eq(rateLimits.key, this.#key(limit, subject)))
    if (!row) {
      return false
    }

    const isWindowOpen = row.startedAt > this.now() - limit.windowMs

    return isWindowOpen && row.count >= limit.max * limitFactor
  }

  /** Takes back an attempt that was counted but had no outcome, because the server was too busy. */
  async giveBack(limit: AttemptLimit, subject: AttemptSubject): Promise<void> {
    await this.db
      .update(rateLimits)
      .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
      .where(eq(rateLimits.key, this.#key(limit, subject)))
  }

  /** Forgets the attempts, because the right password or code has been entered. */
  async clear(limit: AttemptLimit, subject: AttemptSubject): Promise<void> {
    await this.db.delete(rateLimits).where(eq(rateLimits.key, this.#key(limit, subject)))
  }

  /** Returns everything that counts against an account at present, including its parts. */
  async list(account: string): Promise<AttemptCount[]> {
    const rows = await this.db.select().from(rateLimits).where(this.#belongsTo(account))
    const counts = rows.flatMap(({ key, count, startedAt }) => {
      const limitName = key.split(':')[0]
      const limit = Object.values(attemptLimits).find(({ name }) => name === limitName)
      return limit ? [{ limit, count, endsAt: new Date(startedAt + limit.windowMs) }] : []
    })

    return counts.filter(({ endsAt }) => endsAt.getTime() > this.now())
  }

  /** Deletes everything that counts against an account, including its parts. */
  async clearAll(account: string): Promise<void> {
    await this.db.delete(rateLimits).where(this.#belongsTo(account))
  }

  /**
   * Deletes counts whose window is over. The longest window is a day, and two days leave a margin.
   */
  async deleteExpired(): Promise<void> {
    await this.db.delete(rateLimits).where(lt(rateLimits.startedAt, this.now() - twoDaysMs))
  }

  /** Returns the condition for the counts of an account and its parts. */
  #belongsTo(account: string) {
    const accountHash = sql`split_part(split_part(${rateLimits.key}, ':', 2), '.', 1)`
    return sql`${accountHash} = ${this.#hash(account)}`
  }

  /** Returns the key of a count. It contains hashes, so that no email or IP address is stored. */
  #key(limit: AttemptLimit, subject: AttemptSubject): string {
    const parts = typeof subject === 'string' ? [subject] : subject
    return `${limit.name}:${parts.map((part) => this.#hash(part)).join('.')}`
  }

  /** 22 characters hold 132 bits of the hash, which is enough. */
  #hash(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url').slice(0, 22)
  }
}
