import { and, asc, eq, gte, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'
import { outbox } from '../database/schema'
import { runOutsideRequest } from '../http/request-trace.server'
import { backgroundWork } from '../operations/background-work.server'
import { log } from '../operations/log.server'
import { trackRun } from '../operations/metrics/counters.server'
import { commandText } from '../operations/operator-command.server'
import { readiness } from '../operations/readiness.server'
import { type Mail, type Mailer, NotSentError } from './mail.server'
import { failedMailAgeMs, retryPauseMs } from './outbox.server'

/**
 * A server that uses greylisting refuses the first attempts of a stranger, so they are no reason to
 * warn.
 */
const attemptsBeforeWarning = 3

const secondMs = 1000
/**
 * Longer than sending may take (see `smtpMailer`). After it, another process takes the email over.
 */
const leaseMs = 90 * secondMs
const lookEveryMs = 10 * secondMs
/** How long a stop waits for emails that are being sent. */
const stopWithinMs = 5 * secondMs

const listCommand = commandText('mail', 'list')

export type OutboxRow = typeof outbox.$inferSelect

type SenderParts = {
  db: Database
  /** The message with a new link; null if it has become pointless. */
  compose(row: OutboxRow): Promise<Omit<Mail, 'id'> | null>
  send: Mailer
  /** There is no mail server: `/readyz` says so. */
  lacksServer?: boolean
  now?(): number
}

/**
 * Sends the email outbox. Each process sends the emails of its own requests, and one process sends
 * those that are due later. A claim lasts a minute and a half. A second copy, with the same
 * Message-ID, goes out only if a process dies between sending an email and recording it.
 */
export class MailSender {
  #run: Promise<void> | null = null
  #again = false
  #stopping = new AbortController()

  constructor(private parts: SenderParts) {}

  /** Sends right away; call it after the commit. */
  wake(): void {
    this.#again = true
    this.#run ??= runOutsideRequest(() => this.#work()).finally(() => {
      this.#run = null
    })
  }

  /** @returns stops it. */
  start(): () => Promise<void> {
    this.wake()
    const stopLooking = backgroundWork.add({
      name: 'mail',
      everyMs: lookEveryMs,
      run: async () => this.wake(),
    })

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

  /** Sends due emails one by one, until none is left or the mail server can't be reached. */
  async deliverDue(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const row = await this.#claim()
      if (!row || !(await this.#deliver(row))) {
        break
      }
    }

    const { db, lacksServer } = this.parts
    await db.delete(outbox).where(lt(outbox.failedAt, new Date(this.#now() - failedMailAgeMs)))
    const waits = await db.$count(
      outbox,
      and(isNull(outbox.failedAt), gte(outbox.attempts, attemptsBeforeWarning)),
    )
    if (waits > 0) {
      readiness.warn('mail', `Email can’t be sent: \`${listCommand}\` says why.`)
    } else {
      readiness.warn(
        'mail',
        lacksServer ? 'Email is kept in a folder, not sent: set SMTP_URL.' : null,
      )
    }
  }

  #now(): number {
    return (this.parts.now ?? Date.now)()
  }

  /**
   * Reminders come last: a whole evening's may be due at once, while a learner waits for a link.
   */
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
      const mail = await compose(row)
      // While this process was suspended, another one may have taken over the email.
      if (mail && (await db.$count(outbox, ours(row))) === 0) {
        return true
      }

      if (mail) {
        await send({ ...mail, id: row.id }, this.#stopping.signal)
      }
    } catch (error) {
      return this.#postpone(row, error)
    }

    await db.delete(outbox).where(ours(row))

    return true
  }

  async #postpone(row: OutboxRow, error: unknown): Promise<boolean> {
    const { reason, code, responseCode, aboutMessage, permanent } = describeFailure(error)
    const now = this.#now()
    const nextAt = now + retryPauseMs(row.attempts)
    const over = permanent || nextAt > row.giveUpAt.getTime()
    const set = over ? { failedAt: new Date(now), reason } : { dueAt: new Date(nextAt), reason }
    await this.parts.db.update(outbox).set(set).where(ours(row))
    // The server's reason may name the recipient, so it is only in the table.
    const failure = { mail: row.id, attempts: row.attempts, failed: over, code, responseCode }
    log.warn(failure, `an email was not sent: \`${listCommand}\` says why`)

    return aboutMessage
  }
}

/** The row, unless another process took it over meanwhile. */
const ours = (row: OutboxRow) => and(eq(outbox.id, row.id), eq(outbox.attempts, row.attempts))

const messageErrors = ['EENVELOPE', 'EMESSAGE']

/**
 * A refusal of this message is permanent from status 500 on (RFC 5321, 4.2.1). A failed login or
 * connection never is.
 */
function describeFailure(error: unknown) {
  const { message, code, responseCode } = error as {
    message?: string
    code?: string
    responseCode?: number
  }
  const isStored = error instanceof NotSentError
  const aboutMessage = isStored || messageErrors.includes(code ?? '')

  return {
    reason: String(message ?? error).slice(0, 500),
    code,
    responseCode,
    aboutMessage,
    permanent: isStored || (aboutMessage && (responseCode ?? 0) >= 500),
  }
}
