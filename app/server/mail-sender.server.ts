import { and, asc, eq, gte, isNull, lt, lte, sql } from 'drizzle-orm'
import { backgroundWork } from './background-work.server'
import type { Database } from './database/client.server'
import { type MailKind, outbox } from './database/schema'
import { log } from './log.server'
import type { Mail, Mailer } from './mail.server'
import { trackRun } from './metrics/counters.server'
import { commandText } from './operator-command.server'
import { readiness } from './readiness.server'
import { apartFromRequest } from './request-trace.server'

/** Fewer attempts are what a server wants that lets strangers wait (greylisting). */
const worthAWarning = 3

const second = 1000
const minute = 60 * second

/** How long mail that failed can be looked at. */
const failedKeptMs = 14 * 24 * 60 * minute
/** Longer than a message may take (see `smtpMailer`): after it, another process takes the mail over. */
const leaseMs = 2 * minute
const lookEveryMs = 10 * second
/** What is under way when the product stops gets this long. */
const stopWithinMs = 5 * second

/** Growing from half a minute to an hour. */
const pauseMs = (attempts: number) => Math.min(30 * second * 2 ** (attempts - 1), 60 * minute)

const listCommand = commandText('mail', 'list')

type OutboxRow = typeof outbox.$inferSelect

type SenderParts = {
  db: Database
  /** The message as of now, with a fresh link; null when it has become pointless. */
  compose(kind: MailKind, uid: string, formerAddress: string | null): Promise<Omit<Mail, 'id'> | null>
  send: Mailer
  now?(): number
}

/**
 * Sends what is in the outbox: each process what its requests put there, and one of them what is due later. Whoever claims
 * a mail has it for two minutes. A process that dies between sending and noting that is the one way to a second copy, which has
 * the same Message-ID.
 */
export class MailSender {
  #run: Promise<void> | null = null
  #again = false
  #stopping = new AbortController()

  constructor(private parts: SenderParts) {}

  /** Sends right away; call it after the commit. */
  wake(): void {
    this.#again = true
    this.#run ??= apartFromRequest(() => this.#work()).finally(() => {
      this.#run = null
    })
  }

  /** @returns what stops it. */
  start(): () => Promise<void> {
    this.wake()
    const stopLooking = backgroundWork.add({ name: 'mail', everyMs: lookEveryMs, run: async () => this.wake() })
    return async () => {
      await stopLooking()
      const impatience = setTimeout(() => this.#stopping.abort(), stopWithinMs)
      this.#again = false
      await this.#run
      clearTimeout(impatience)
    }
  }

  async #work(): Promise<void> {
    while (this.#again) {
      this.#again = false
      await trackRun('mail sending', () => this.deliverDue()).catch((error) =>
        log.error({ err: error }, 'the outbox could not be read'),
      )
    }
  }

  /** Sends what is due, one after the other, until nothing is or the mail server cannot be reached. */
  async deliverDue(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const row = await this.#claim()
      if (!row || !(await this.#deliver(row))) break
    }
    const { db } = this.parts
    await db.delete(outbox).where(lt(outbox.failedAt, new Date(this.#now() - failedKeptMs)))
    const waits = await db.$count(outbox, and(isNull(outbox.failedAt), gte(outbox.attempts, worthAWarning)))
    readiness.warn('mail', waits > 0 ? `Email can’t be sent: \`${listCommand}\` says why.` : null)
  }

  #now(): number {
    return (this.parts.now ?? Date.now)()
  }

  /** Reminders come last: nobody waits for them in front of a form, and a whole evening's may be due at once. */
  async #claim(): Promise<OutboxRow | null> {
    const { db } = this.parts
    const due = db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(isNull(outbox.failedAt), lte(outbox.dueAt, new Date(this.#now()))))
      .orderBy(sql`${outbox.kind} = 'study-reminder'`, asc(outbox.dueAt))
      .limit(1)
      .for('update', { skipLocked: true })
    const [row] = await db
      .update(outbox)
      .set({ attempts: sql`${outbox.attempts} + 1`, dueAt: new Date(this.#now() + leaseMs) })
      .where(eq(outbox.id, sql`(${due})`))
      .returning()
    return row ?? null
  }

  /** @returns false when the next one would fail the same way. */
  async #deliver(row: OutboxRow): Promise<boolean> {
    const { db, compose, send } = this.parts
    try {
      const mail = await compose(row.kind, row.uid, row.formerAddress)
      // A process that was halted meanwhile may have been replaced.
      if (mail && (await db.$count(outbox, ours(row))) === 0) return true
      if (mail) await send({ ...mail, id: row.id }, this.#stopping.signal)
    } catch (error) {
      return this.#postpone(row, error)
    }
    await db.delete(outbox).where(ours(row))
    return true
  }

  async #postpone(row: OutboxRow, error: unknown): Promise<boolean> {
    const { reason, code, responseCode, aboutMessage, permanent } = describeFailure(error)
    const now = this.#now()
    const nextAt = now + pauseMs(row.attempts)
    const over = permanent || nextAt > row.giveUpAt.getTime()
    const set = over ? { failedAt: new Date(now), reason } : { dueAt: new Date(nextAt), reason }
    await this.parts.db.update(outbox).set(set).where(ours(row))
    // The server's words may name the recipient: they are only in the table.
    const failure = { mail: row.id, attempts: row.attempts, failed: over, code, responseCode }
    log.warn(failure, `an email was not sent: \`${listCommand}\` says why`)
    return aboutMessage
  }
}

/** Unless another process took it over meanwhile. */
const ours = (row: OutboxRow) => and(eq(outbox.id, row.id), eq(outbox.attempts, row.attempts))

const messageErrors = ['EENVELOPE', 'EMESSAGE']

/**
 * A refusal of this message by the server is permanent from 500 on (RFC 5321, 4.2.1); its login or its absence never
 * is.
 */
function describeFailure(error: unknown) {
  const { message, code, responseCode } = error as { message?: string; code?: string; responseCode?: number }
  const aboutMessage = messageErrors.includes(code ?? '')
  return {
    reason: String(message ?? error).slice(0, 500),
    code,
    responseCode,
    aboutMessage,
    permanent: aboutMessage && (responseCode ?? 0) >= 500,
  }
}
