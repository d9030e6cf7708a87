import { and, asc, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'
import { outbox } from '../database/schema'
import { runOutsideRequest } from '../http/request-trace.server'
import { backgroundWork } from '../operations/background-work.server'
import { log } from '../operations/log.server'
import { trackRun } from '../operations/metrics/counters.server'
import { formatCommand } from '../operations/operator-command.server'
import { readiness } from '../operations/readiness.server'
import { classifyDeliveryError } from './delivery-failure'
import { type Mail, type Mailer, NotSentError } from './mail.server'
import { getRetryDelayMs, removeFailedMails } from './outbox.server'

/**
 * Sends the emails of the outbox.
 *
 * Each process sends the emails of its own requests, and one process sends those that are due
 * later. A process first claims an email. The claim ends after `claimMs`, and another process may
 * then send the email. A recipient gets a second copy, with the same Message-ID, only if a process
 * dies between sending an email and recording it.
 *
 * After a failure, the next attempt follows a pause that grows. An email has failed for good if the
 * mail server refuses it permanently, or if a day has passed since it was due.
 */

const secondMs = 1000
/** This is longer than sending may take (see `createSmtpMailer`). */
const claimMs = 90 * secondMs
const sendingIntervalMs = 10 * secondMs
/** The time that emails being sent have to finish when the process stops. */
const stopTimeoutMs = 5 * secondMs
/**
 * A mail server with greylisting refuses the first attempts of a stranger, so they cause no
 * warning.
 */
const attemptsBeforeWarning = 3
const maxReasonLength = 500

const listCommand = formatCommand('mail', 'list')

export type OutboxRow = typeof outbox.$inferSelect

type MailSenderOptions = {
  db: Database
  /** Composes an email with a new link. Returns null if there is no reason to send it any more. */
  compose(row: OutboxRow): Promise<Omit<Mail, 'id'> | null>
  send: Mailer
  /** Whether there is no mail server, so that `/readyz` warns. */
  lacksServer?: boolean
  now?(): number
}

export class MailSender {
  #currentRun: Promise<void> | null = null
  #shouldRunAgain = false
  #stop = new AbortController()

  constructor(private options: MailSenderOptions) {}

  /**
   * Sends the emails that are due. It is called after the commit of the transaction that queued
   * one.
   */
  wake(): void {
    this.#shouldRunAgain = true
    this.#currentRun ??= runOutsideRequest(() => this.#run()).finally(() => {
      this.#currentRun = null
    })
  }

  /**
   * Sends the emails that are due, now and regularly.
   *
   * @returns a function that stops sending
   */
  start(): () => Promise<void> {
    readiness.addWarningCheck('mail', () => this.findWarning())
    this.wake()
    const removeJob = backgroundWork.schedule({
      name: 'mail',
      intervalMs: sendingIntervalMs,
      run: async () => this.wake(),
    })

    return async () => {
      await removeJob()
      const timer = setTimeout(() => this.#stop.abort(), stopTimeoutMs)
      this.#shouldRunAgain = false
      await this.#currentRun
      clearTimeout(timer)
    }
  }

  async #run(): Promise<void> {
    while (this.#shouldRunAgain) {
      this.#shouldRunAgain = false
      await trackRun('mail sending', () => this.deliverDue()).catch((error) =>
        log.error({ err: error }, 'the outbox could not be read'),
      )
    }
  }

  /** Sends due emails one by one, until none is left or the mail server can't be reached. */
  async deliverDue(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const row = await this.#claim()
      if (!row || !(await this.#deliver(row))) {
        break
      }
    }

    await removeFailedMails(this.options.db, this.#now())
  }

  /** Returns the warning for `/readyz`, or null. */
  async findWarning(): Promise<string | null> {
    const { db, lacksServer } = this.options
    const delayedCount = await db.$count(
      outbox,
      and(isNull(outbox.failedAt), gte(outbox.attempts, attemptsBeforeWarning)),
    )

    if (delayedCount > 0) {
      return `Email can’t be sent: \`${listCommand}\` says why.`
    }

    return lacksServer ? 'Email is kept in a folder, not sent: set SMTP_URL.' : null
  }

  #now(): number {
    return (this.options.now ?? Date.now)()
  }

  /**
   * Claims the next due email. Reminders come last, because all reminders of an evening may be due
   * at once, while a learner waits for a link.
   */
  async #claim(): Promise<OutboxRow | null> {
    const { db } = this.options
    const nextDue = db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(isNull(outbox.failedAt), lte(outbox.dueAt, new Date(this.#now()))))
      .orderBy(sql`${outbox.kind} = 'study-reminder'`, asc(outbox.dueAt))
      .limit(1)
      .for('update', { skipLocked: true })
    const [row] = await db
      .update(outbox)
      .set({
        attempts: sql`${outbox.attempts} + 1`,
        dueAt: new Date(this.#now() + claimMs),
        // Without a reason, an operator's retry leaves the email alone while it is being sent.
        reason: null,
      })
      .where(eq(outbox.id, sql`(${nextDue})`))
      .returning()

    return row ?? null
  }

  /**
   * Sends a claimed email and deletes its row.
   *
   * @returns whether to go on with the next email; false if it would fail in the same way
   */
  async #deliver(row: OutboxRow): Promise<boolean> {
    const { db, compose, send } = this.options
    let mail: Omit<Mail, 'id'> | null
    try {
      mail = await compose(row)
    } catch (error) {
      await this.#recordFailure(row, error)
      // Other emails can be composed. If the database has failed, recording the failure throws.
      return true
    }

    // While this process was suspended, another one may have taken over the email.
    const isClaimLost = mail !== null && (await db.$count(outbox, isClaimed(row))) === 0
    if (isClaimLost) {
      return true
    }

    try {
      if (mail) {
        await send({ ...mail, id: row.id }, this.#stop.signal)
      }
    } catch (error) {
      const { concernsEmail } = await this.#recordFailure(row, error)
      return concernsEmail
    }

    await db.delete(outbox).where(isClaimed(row))

    return true
  }

  /** Schedules the next attempt, or records that the email has failed for good. */
  async #recordFailure(row: OutboxRow, error: unknown): Promise<SendingFailure> {
    const failure = describeFailure(error)
    const { reason, code, responseCode, isPermanent } = failure
    const now = this.#now()
    const nextAttemptAt = now + getRetryDelayMs(row.attempts)
    const hasFailed = isPermanent || nextAttemptAt > row.giveUpAt.getTime()

    await this.options.db
      .update(outbox)
      .set(
        hasFailed
          ? { failedAt: new Date(now), reason }
          : { dueAt: new Date(nextAttemptAt), reason },
      )
      .where(isClaimed(row))

    // The server's reason may name the recipient, so it is only in the table.
    log.warn(
      { mail: row.id, attempts: row.attempts, failed: hasFailed, code, responseCode },
      `an email was not sent: \`${listCommand}\` says why`,
    )

    return failure
  }
}

/**
 * Selects the row if this process still has the claim. A claim by another process counts one
 * attempt more.
 */
function isClaimed(row: OutboxRow) {
  return and(eq(outbox.id, row.id), eq(outbox.attempts, row.attempts))
}

type SendingFailure = ReturnType<typeof describeFailure>

/** Describes why an email was not sent. A failed sign-in or connection is never permanent. */
function describeFailure(error: unknown) {
  const { message, code, responseCode } = error as {
    message?: string
    code?: string
    responseCode?: number
  }
  const failure = classifyDeliveryError(error)
  const isInFolder = error instanceof NotSentError
  const concernsMailServer = failure === 'not-begun' || failure === 'uncertain'

  return {
    reason: String(message ?? error).slice(0, maxReasonLength),
    code,
    responseCode,
    /** Whether the failure concerns only this email. Otherwise the next one would fail as well. */
    concernsEmail: isInFolder || !concernsMailServer,
    isPermanent: isInFolder || failure === 'refused',
  }
}
