import { createHmac } from 'node:crypto'
import { eq, lt, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { rateLimits } from '~/server/database/schema/index'

const minuteMs = 60_000

export type AttemptLimit = { name: string; max: number; windowMs: number }

/**
 * The rate limits of the product, as listed in docs/security.md. The arguments are the limit's name
 * in the database, the maximum number of attempts per window, and the length of the window in
 * minutes. A window begins with its first attempt. A client is a network: an IPv4 address or an IPv6
 * /64.
 *
 * The limits per client leave room for two classes at a school that shares one IP address.
 */
export const attemptLimits = {
  passwordByAccount: limit('password-account', 5, 15),
  passwordByBrowser: limit('password-browser', 10, 15),
  passwordByClient: limit('password-client', 30, 15),
  signInByAccount: limit('sign-in-account', 60, 15),
  registrationByClient: limit('registration-client', 60, 10),
  registrationByClientAndDay: limit('registration-day', 300, 24 * 60),
  welcomeByMailbox: limit('welcome-mailbox', 5, 24 * 60),
  confirmationByAccount: limit('confirmation-account', 5, 60),
  passkeyByClient: limit('passkey-client', 300, 15),
  signInCodeByAccount: limit('sign-in-code', 5, 15),
  exportByAccount: limit('export-account', 20, 60),
  resetByAccount: limit('reset-account', 5, 60),
  resetByClient: limit('reset-client', 60, 10),
  deviceMailByAccount: limit('device-mail', 10, 24 * 60),
  notMeByClient: limit('not-me-client', 60, 10),
  refundByClient: limit('refund-client', 30, 60),
  refundByOrder: limit('refund-order', 5, 60),
  giftMailByAccount: limit('gift-mail', 5, 60),
  codeByAccount: limit('code-account', 20, 60),
  codeByClient: limit('code-client', 100, 60),
  photoByAccount: limit('photo-account', 10, 60),
  testMailByAccount: limit('test-mail', 10, 60),
  reissueByAccount: limit('reissue-account', 10, 24 * 60),
} as const satisfies Record<string, AttemptLimit>

function limit(name: string, max: number, windowMinutes: number): AttemptLimit {
  return { name, max, windowMs: windowMinutes * minuteMs }
}

/** What an attempt counts against: an account or client, or one part of an account, like a browser. */
export type AttemptSubject = string | readonly [account: string, part: string]

export type Attempt = {
  limit: AttemptLimit
  subject: AttemptSubject
  /** Multiplies the limit, for clients on this machine. */
  factor?: number
}

type AttemptCount = { limit: AttemptLimit; count: number; endsAt: Date }

/** Several people or a test suite may share one machine, so its own clients get ten times the limit. */
export const loopbackFactor = 10

/**
 * Counts attempts by account or client in fixed windows.
 *
 * Counts are rows in the database, so neither a restart nor a second process resets them. An attempt
 * is counted in one statement before its outcome is known, so parallel attempts cannot exceed the
 * limit. Subjects are stored as keyed hashes only. docs/decisions/2026-11-28-rate-limits.md says why
 * neither better-auth's rate limits nor rate-limiter-flexible replace this file.
 */
export class AttemptCounter {
  constructor(
    private db: Database,
    private secret: string,
    private now: () => number,
  ) {}

  /** Returns a counter that reads and changes the same counts in a transaction. */
  on(tx: Database): AttemptCounter {
    return new AttemptCounter(tx, this.secret, this.now)
  }

  /**
   * Counts an attempt.
   *
   * @returns whether the attempt is within the limit
   */
  async consume(limit: AttemptLimit, subject: AttemptSubject, factor = 1): Promise<boolean> {
    const max = limit.max * factor
    const now = this.now()
    const isWindowOver = sql`${rateLimits.startedAt} <= ${now - limit.windowMs}`
    const [row] = await this.db
      .insert(rateLimits)
      .values({ key: this.#key(limit, subject), count: 1, startedAt: now })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
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
    for (const { limit, subject, factor } of attempts) {
      if (!(await this.consume(limit, subject, factor))) {
        return false
      }
    }

    return true
  }

  /** Returns whether another attempt would exceed the limit, without counting one. */
  async isExhausted({ limit, subject, factor = 1 }: Attempt): Promise<boolean> {
    const [row] = await this.db
      .select({ count: rateLimits.count, startedAt: rateLimits.startedAt })
      .from(rateLimits)
      .where(eq(rateLimits.key, this.#key(limit, subject)))
    if (!row) {
      return false
    }

    const isWindowOpen = row.startedAt > this.now() - limit.windowMs

    return isWindowOpen && row.count >= limit.max * factor
  }

  /** Takes back an attempt that was counted but had no outcome, because the server was too busy. */
  async giveBack(limit: AttemptLimit, subject: AttemptSubject): Promise<void> {
    await this.db
      .update(rateLimits)
      .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
      .where(eq(rateLimits.key, this.#key(limit, subject)))
  }

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

  /** Deletes everything that counts against an account. */
  async clearAll(account: string): Promise<void> {
    await this.db.delete(rateLimits).where(this.#belongsTo(account))
  }

  #belongsTo(account: string) {
    const accountHash = sql`split_part(split_part(${rateLimits.key}, ':', 2), '.', 1)`
    return sql`${accountHash} = ${this.#hash(account)}`
  }

  /** Deletes counts that are older than the longest window. */
  async deleteExpired(): Promise<void> {
    const twoDaysMs = 2 * 24 * 60 * minuteMs
    await this.db.delete(rateLimits).where(lt(rateLimits.startedAt, this.now() - twoDaysMs))
  }

  /** Returns the key of a count. It contains hashes, so that no email or IP address is stored. */
  #key(limit: AttemptLimit, subject: AttemptSubject): string {
    const parts = typeof subject === 'string' ? [subject] : subject
    return `${limit.name}:${parts.map((part) => this.#hash(part)).join('.')}`
  }

  #hash(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url').slice(0, 22)
  }
}

/** Returns the email without its alias: `ada+1@...` and `ada+2@...` reach the same mailbox. */
export function toMailbox(email: string): string {
  return email.replace(/\+[^@]*(?=@)/, '')
}

const maxQueueLength = 20

/**
 * Runs the tasks of each key one after the other, in this process. A learner's parallel requests
 * with the right password wait for each other instead of counting as wrong ones, and nobody can keep
 * the server busy with hashing.
 */
export class KeyedQueue {
  #queues = new Map<string, { lastTask: Promise<unknown>; length: number }>()

  /** @returns undefined if too many tasks of this key are waiting */
  async run<T>(key: string, task: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#queues.get(key) ?? { lastTask: Promise.resolve(), length: 0 }
    if (queue.length >= maxQueueLength) {
      return undefined
    }

    const result = queue.lastTask.then(task, task)
    queue.lastTask = result.catch(() => {})
    queue.length += 1
    this.#queues.set(key, queue)

    try {
      return await result
    } finally {
      queue.length -= 1
      if (queue.length === 0) {
        this.#queues.delete(key)
      }
    }
  }
}
