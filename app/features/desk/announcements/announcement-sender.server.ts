/**
 * Sends announcements in the background. Each email is sent at most once. The status of
 * announcements and emails is stored by `announcement-queue.server.ts`.
 *
 * - An email is claimed, and the claim is committed, before the conversation with the mail server
 *   begins. If the process is killed during the conversation, the email becomes 'uncertain' and is
 *   never sent again.
 * - A claim checks the announcement and the learner once more. So no email begins after staff have
 *   stopped the announcement, or after the learner has turned announcements off.
 * - After an error of the mail server itself, all sending pauses. It continues once the mail server
 *   responds to a greeting.
 *
 * Several processes can send at the same time.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, db as productionDatabase } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { classifyDeliveryError } from '~/server/mail/delivery-failure'
import { checkMailServer, lacksMailServer, type Mailer, sendMail } from '~/server/mail/mail.server'
import { getRetryDelayMs } from '~/server/mail/outbox.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import { createAnnouncementComposer, type EmailComposer } from './announcement-mail.server'
import {
  beginDueAnnouncements,
  type ClaimedRecipient,
  claimEmails,
  clearMailServerProblem,
  finishAnnouncements,
  listSendingAnnouncements,
  markAbandonedEmailsUncertain,
  recordEmailResult,
  recordMailServerProblem,
} from './announcement-queue.server'
import { removeOldEmails } from './mail-counts.server'

const secondMs = 1000
const hourMs = 60 * 60 * secondMs
/** A run ends after this time, so that other background work gets its turn. */
const maxRunMs = 10 * secondMs
/** The time without sending after the mail server itself has failed. */
const pauseAfterFailureMs = 30 * secondMs
const maxConnections = 10
/** The number of times that a deferred email is tried, over about three hours. */
const maxAttempts = 10
/** When the process stops, open conversations with the mail server get this time to end. */
const stopTimeoutMs = 5 * secondMs
const maxReasonLength = 500

/**
 * Starts sending announcements, and removing old emails. Without a mail server, scheduled
 * announcements wait.
 *
 * @returns a function that stops both
 */
export function startAnnouncements(): () => Promise<void> {
  const stopRemoving = backgroundWork.schedule({
    name: 'old announcements',
    intervalMs: hourMs,
    run: (mayContinue) => removeOldEmails(productionDatabase, mayContinue),
  })
  const stopSending = lacksMailServer ? null : createProductionSender().start()

  return async () => {
    await stopRemoving()
    await stopSending?.()
  }
}

function createProductionSender(): AnnouncementSender {
  return new AnnouncementSender({
    db: productionDatabase,
    send: sendMail,
    async checkMailServer() {
      if (env.SMTP_URL) {
        await checkMailServer(env.SMTP_URL)
      }
    },
    emailsPerMinute: env.ANNOUNCEMENTS_PER_MINUTE,
  })
}

type SenderOptions = {
  db: Database
  send: Mailer
  /** Rejects while the mail server can't be reached or refuses the sign-in. */
  checkMailServer(): Promise<void>
  emailsPerMinute: number
  /** Returns the current time in milliseconds. */
  now?(): number
  /** Resolves after the time, or as soon as the signal aborts. */
  sleep?(ms: number, signal: AbortSignal): Promise<unknown>
}

export class AnnouncementSender {
  readonly #composers = new Map<string, EmailComposer | null>()
  /** Ends the run. Conversations that have begun may finish. */
  readonly #stopController = new AbortController()
  /** Breaks off the conversations that are still open. */
  readonly #abortController = new AbortController()
  #pausedUntil = 0

  constructor(private options: SenderOptions) {}

  /** @returns a function that stops the sender */
  start(): () => Promise<void> {
    const stop = backgroundWork.schedule({
      name: 'announcements',
      intervalMs: 2 * secondMs,
      run: (mayContinue) => this.run(mayContinue),
    })

    return async () => {
      this.#stopController.abort()
      const abortTimer = setTimeout(() => this.#abortController.abort(), stopTimeoutMs)
      await stop()
      clearTimeout(abortTimer)
    }
  }

  /**
   * Sends for some seconds, or until no email is due.
   *
   * @param mayContinue returns false once another process has taken over
   */
  async run(mayContinue: () => boolean = () => true): Promise<void> {
    const { db } = this.options

    await beginDueAnnouncements(db)
    await markAbandonedEmailsUncertain(db)
    await this.#sendDueEmails(mayContinue)
    await finishAnnouncements(db)
  }

  async #sendDueEmails(mayContinue: () => boolean): Promise<void> {
    const { db } = this.options
    const startedAt = this.#now()
    const canContinue = () =>
      mayContinue() && !this.#stopController.signal.aborted && this.#now() >= this.#pausedUntil

    const sendingIds = canContinue() ? await listSendingAnnouncements(db) : []
    if (sendingIds.length === 0 || !(await this.#isMailServerReady())) {
      return
    }

    // The texts are rendered anew in each run, because the title of a course can change.
    this.#composers.clear()

    while (canContinue() && this.#now() < startedAt + maxRunMs) {
      let claimedCount = 0
      for (const announcementId of await listSendingAnnouncements(db)) {
        if (canContinue()) {
          claimedCount += await this.#sendBatch(announcementId)
        }
      }

      if (claimedCount === 0) {
        return
      }
    }
  }

  async #isMailServerReady(): Promise<boolean> {
    try {
      await this.options.checkMailServer()
    } catch (error) {
      await this.#pauseSending(error)
      return false
    }

    await clearMailServerProblem(this.options.db)
    return true
  }

  /** @returns the number of emails that were due */
  async #sendBatch(announcementId: string): Promise<number> {
    const { db, emailsPerMinute, sleep = sleepUnlessAborted } = this.options
    const startedAt = this.#now()

    const batchSize = Math.min(maxConnections, Math.ceil(emailsPerMinute / 60))
    const emails = await claimEmails(db, announcementId, batchSize)
    const recipients = emails.filter(({ status }) => status === 'claimed')
    await Promise.all(recipients.map((recipient) => this.#sendEmail(announcementId, recipient)))

    const durationAtPaceMs = (recipients.length * 60 * secondMs) / emailsPerMinute
    const remainingMs = durationAtPaceMs - (this.#now() - startedAt)
    if (remainingMs > 0) {
      await sleep(remainingMs, this.#stopController.signal)
    }

    return emails.length
  }

  async #sendEmail(announcementId: string, recipient: ClaimedRecipient): Promise<void> {
    const { db, send } = this.options
    const compose = await this.#getComposer(announcementId)
    if (compose === null) {
      // The announcement was deleted, and its emails with it.
      return
    }

    const email = await compose(recipient)
    try {
      await send(
        { ...email, id: `${announcementId}.${recipient.uid}` },
        this.#abortController.signal,
      )
    } catch (error) {
      return this.#recordFailure(announcementId, recipient, error)
    }

    await recordEmailResult(db, { announcementId, uid: recipient.uid }, { status: 'sent' })
  }

  async #recordFailure(
    announcementId: string,
    recipient: ClaimedRecipient,
    error: unknown,
  ): Promise<void> {
    const { db } = this.options
    const emailId = { announcementId, uid: recipient.uid }
    const reason = formatErrorReason(error)
    const failure = classifyDeliveryError(error)
    const attempts = recipient.attempts + 1

    const isPermanent = failure === 'refused' || failure === 'invalid'
    if (isPermanent || (failure === 'deferred' && attempts >= maxAttempts)) {
      return recordEmailResult(db, emailId, { status: 'failed', reason })
    }

    if (failure === 'deferred') {
      const retryInMs = getRetryDelayMs(attempts)
      return recordEmailResult(db, emailId, { status: 'due', reason, attempts, retryInMs })
    }

    const status = failure === 'uncertain' ? 'uncertain' : 'due'
    await recordEmailResult(db, emailId, { status, reason })

    // A conversation that this process has broken off to stop says nothing about the mail server.
    if (!this.#abortController.signal.aborted) {
      await this.#pauseSending(error)
    }
  }

  async #getComposer(announcementId: string): Promise<EmailComposer | null> {
    const cachedComposer = this.#composers.get(announcementId)
    if (cachedComposer !== undefined) {
      return cachedComposer
    }

    const composer = await createAnnouncementComposer(this.options.db, announcementId)
    this.#composers.set(announcementId, composer)
    return composer
  }

  /** Pauses all sending, and stores the reason. */
  async #pauseSending(error: unknown): Promise<void> {
    this.#pausedUntil = this.#now() + pauseAfterFailureMs

    const { code, responseCode } = error as { code?: string; responseCode?: number }
    log.warn({ code, responseCode }, 'announcements wait: the mail server took no mail')

    await recordMailServerProblem(this.options.db, formatErrorReason(error))
  }

  #now(): number {
    return (this.options.now ?? Date.now)()
  }
}

function formatErrorReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.slice(0, maxReasonLength)
}

async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}
