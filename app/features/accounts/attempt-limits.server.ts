import { createHmac } from 'node:crypto'
import { eq, lt, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { rateLimits } from '~/server/database/schema/index'

const minute = 60_000

export type AttemptLimit = { name: string; max: number; windowMs: number }

/**
 * The rate limits of the product, listed in docs/security.md. The arguments are the limit's name in
 * the database, the most attempts per window, and the minutes that a window lasts from its first
 * attempt. A client is a network: an IPv4 address or an IPv6 /64.
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
} as const satisfies Record<string, AttemptLimit>

function limit(name: string, max: number, windowMinutes: number): AttemptLimit {
  return { name, max, windowMs: windowMinutes * minute }
}

/**
 * The account or client that an attempt counts against, or one part of an account, like a browser.
 */
export type AttemptSubject = string | readonly [account: string, part: string]

/** Clients at this machine have a multiple of the limit. */
export type Attempt = { limit: AttemptLimit; subject: AttemptSubject; factor?: number }

export type AttemptCount = { limit: AttemptLimit; count: number; endsAt: Date }

/**
 * Several people or a test suite may share one machine, so its own clients get ten times the limit.
 */
export const loopbackFactor = 10

/**
 * Attempts by account or client, counted in the database, so that a restart or a second process
 * forgets none.
 */
export class AttemptCounter {
  constructor(
    private db: Database,
    private secret: string,
    private now: () => number,
  ) {}

  /** The same counts, read and changed in a transaction. */
  on(db: Database): AttemptCounter {
    return new AttemptCounter(db, this.secret, this.now)
  }

  /**
   * Counts an attempt before its outcome is known, in one statement, so that parallel ones cannot
   * slip through.
   *
   * @returns false when the window is full.
   */
  async take(limit: AttemptLimit, subject: AttemptSubject, factor = 1): Promise<boolean> {
    const most = limit.max * factor
    const now = this.now()
    const isOver = sql`${rateLimits.startedAt} <= ${now - limit.windowMs}`
    const [row] = await this.db
      .insert(rateLimits)
      .values({ key: this.#key(limit, subject), count: 1, startedAt: now })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          count: sql`case when ${isOver} then 1 else least(${rateLimits.count} + 1, ${most + 1}::int) end`,
          startedAt: sql`case when ${isOver} then ${now}::bigint else ${rateLimits.startedAt} end`,
        },
      })
      .returning({ count: rateLimits.count })

    return row !== undefined && row.count <= most
  }

  /**
   * Counts an attempt against several limits in order, up to one whose window is full.
   *
   * @returns false if one is.
   */
  async takeEach(attempts: readonly Attempt[]): Promise<boolean> {
    for (const { limit, subject, factor } of attempts) {
      if (!(await this.take(limit, subject, factor))) {
        return false
      }
    }

    return true
  }

  /** Whether another attempt would be refused; counts none. */
  async isFull({ limit, subject, factor = 1 }: Attempt): Promise<boolean> {
    const [row] = await this.db
      .select({ count: rateLimits.count, startedAt: rateLimits.startedAt })
      .from(rateLimits)
      .where(eq(rateLimits.key, this.#key(limit, subject)))
    return (
      row !== undefined &&
      row.startedAt > this.now() - limit.windowMs &&
      row.count >= limit.max * factor
    )
  }

  /** Uncounts an attempt that had no outcome. */
  async giveBack(limit: AttemptLimit, subject: AttemptSubject): Promise<void> {
    await this.db
      .update(rateLimits)
      .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
      .where(eq(rateLimits.key, this.#key(limit, subject)))
  }

  async clear(limit: AttemptLimit, subject: AttemptSubject): Promise<void> {
    await this.db.delete(rateLimits).where(eq(rateLimits.key, this.#key(limit, subject)))
  }

  /** Everything that counts against an account now, including its parts. */
  async list(account: string): Promise<AttemptCount[]> {
    const rows = await this.db.select().from(rateLimits).where(this.#of(account))
    const counts = rows.flatMap(({ key, count, startedAt }) => {
      const limit = Object.values(attemptLimits).find(({ name }) => name === key.split(':')[0])
      return limit ? [{ limit, count, endsAt: new Date(startedAt + limit.windowMs) }] : []
    })
    return counts.filter(({ endsAt }) => endsAt.getTime() > this.now())
  }

  /** Forgets everything that counts against an account. */
  async clearAll(account: string): Promise<void> {
    await this.db.delete(rateLimits).where(this.#of(account))
  }

  #of(account: string) {
    return sql`split_part(split_part(${rateLimits.key}, ':', 2), '.', 1) = ${this.#hash(account)}`
  }

  /** Windows that ended long ago. */
  async purge(): Promise<void> {
    await this.db
      .delete(rateLimits)
      .where(lt(rateLimits.startedAt, this.now() - 2 * 24 * 60 * minute))
  }

  /** The database never stores an email address or a client's address. */
  #key(limit: AttemptLimit, subject: AttemptSubject): string {
    const parts = typeof subject === 'string' ? [subject] : subject
    return `${limit.name}:${parts.map((part) => this.#hash(part)).join('.')}`
  }

  #hash(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url').slice(0, 22)
  }
}

/** Aliases like `ada+1@...` and `ada+2@...` reach the same mailbox. */
export function mailboxOf(email: string): string {
  return email.replace(/\+[^@]*(?=@)/, '')
}

const maxWaiting = 20

/**
 * One attempt at a time per account in this process: a learner's parallel requests with the right
 * password wait for each other instead of counting as wrong ones, and no one can make the server
 * hash endlessly.
 */
export class Turnstile {
  #waiting = new Map<string, { tail: Promise<unknown>; length: number }>()

  /** @returns undefined when too many wait already. */
  async pass<T>(key: string, attempt: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#waiting.get(key) ?? { tail: Promise.resolve(), length: 0 }
    if (queue.length >= maxWaiting) {
      return undefined
    }

    const mine = queue.tail.then(attempt, attempt)
    queue.tail = mine.catch(() => {})
    queue.length += 1
    this.#waiting.set(key, queue)
    try {
      return await mine
    } finally {
      queue.length -= 1
      if (queue.length === 0) {
        this.#waiting.delete(key)
      }
    }
  }
}
