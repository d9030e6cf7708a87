/**
 * Sends announcements in the background. Each email is sent at most once.
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
import { sql } from 'drizzle-orm'
import { rolesWithAllCourses } from '~/features/staff/permissions'
import {
  type Database,
  db as productionDatabase,
  type Transaction,
} from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { classifyDeliveryError } from '~/server/mail/delivery-failure'
import {
  checkMailServer,
  lacksMailServer,
  type Mailer,
  sendMail,
  sendTimeoutMs,
} from '~/server/mail/mail.server'
import { getRetryPauseMs } from '~/server/mail/outbox.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import {
  createAnnouncementComposer,
  type EmailComposer,
  type Recipient,
} from './announcement-mail.server'

import type { AnnouncementMailState, AnnouncementState } from './announcement-states'
import { type Audience, announcementRecipientCondition, queueEmails } from './audience.server'
import { removeOldEmails } from './mail-counts.server'

const secondMs = 1000
const hourMs = 60 * 60 * secondMs
/** A run ends after this time, so that other background work gets its turn. */
const maxRunMs = 10 * secondMs
/** The pause after the mail server itself has failed. */
const pauseAfterFailureMs = 30 * secondMs
const maxConnections = 10
/** No conversation takes this long, so the process behind an older claim has ended. */
const maxClaimMs = sendTimeoutMs + 30 * secondMs
/** The number of times that a deferred email is tried, over about three hours. */
const maxAttempts = 10
/** When the server stops, open conversations with the mail server get this time to end. */
const maxStopMs = 5 * secondMs
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
    async greet() {
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
  greet(): Promise<void>
  emailsPerMinute: number
  /** Returns the time in milliseconds. */
  clock?(): number
  pause?(ms: number, signal: AbortSignal): Promise<unknown>
}

type ClaimedRecipient = Recipient & { attempts: number }

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
      const abortTimer = setTimeout(() => this.#abortController.abort(), maxStopMs)
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
      await this.options.greet()
    } catch (error) {
      await this.#pauseSending(error)
      return false
    }

    await this.options.db.execute(sql`
      update announcements set trouble = null
      where state = 'sending' and trouble is not null`)
    return true
  }

  /** @returns the number of emails that were due */
  async #sendBatch(announcementId: string): Promise<number> {
    const { db, emailsPerMinute, pause = waitUnlessAborted } = this.options
    const startedAt = this.#now()

    const batchSize = Math.min(maxConnections, Math.ceil(emailsPerMinute / 60))
    const emails = await claimEmails(db, announcementId, batchSize)
    const recipients = emails.filter(({ state }) => state === 'claimed')
    await Promise.all(recipients.map((recipient) => this.#sendEmail(announcementId, recipient)))

    const durationAtPaceMs = (recipients.length * 60 * secondMs) / emailsPerMinute
    const remainingMs = durationAtPaceMs - (this.#now() - startedAt)
    if (remainingMs > 0) {
      await pause(remainingMs, this.#stopController.signal)
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

    await settleEmail(db, { announcementId, uid: recipient.uid }, { state: 'sent' })
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
      return settleEmail(db, emailId, { state: 'failed', reason })
    }

    if (failure === 'deferred') {
      const retryInMs = getRetryPauseMs(attempts)
      return settleEmail(db, emailId, { state: 'due', reason, attempts, retryInMs })
    }

    const state = failure === 'uncertain' ? 'uncertain' : 'due'
    await settleEmail(db, emailId, { state, reason })
    // A conversation that the stopping server has broken off says nothing about the mail server.
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

  /** Pauses all sending. The page of each announcement that is being sent shows the reason. */
  async #pauseSending(error: unknown): Promise<void> {
    this.#pausedUntil = this.#now() + pauseAfterFailureMs

    const { code, responseCode } = error as { code?: string; responseCode?: number }
    log.warn({ code, responseCode }, 'announcements wait: the mail server took no mail')

    await this.options.db.execute(sql`
      update announcements set trouble = ${formatErrorReason(error)}
      where state = 'sending'`)
  }

  #now(): number {
    const { clock = Date.now } = this.options
    return clock()
  }
}

function formatErrorReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.slice(0, maxReasonLength)
}

async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}

/**
 * Begins the announcements that are due, and queues an email to everyone who is in the audience
 * now. If the author has lost the permission, the announcement becomes a draft again.
 */
export async function beginDueAnnouncements(db: Database): Promise<void> {
  let hasBegun = true
  while (hasBegun) {
    hasBegun = await db.transaction(beginNextAnnouncement)
  }
}

/** @returns whether an announcement was due */
async function beginNextAnnouncement(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<Audience & { id: string; state: AnnouncementState }>(sql`
    update announcements a
    set state = case when ${authorMaySend} then 'sending' else 'draft' end,
      started_at = case when ${authorMaySend} then now() end,
      due_at = case when ${authorMaySend} then due_at end,
      trouble = case when not ${authorMaySend} then ${authorMayNotSend}::text end
    where id = (
      select id
      from announcements
      where state = 'scheduled' and due_at <= now()
      order by due_at
      limit 1
      for update skip locked)
    returning id, state, course_id as "courseId", audience, away_days as "awayDays"`)

  const [announcement] = rows
  if (!announcement) {
    return false
  }

  const { id, state, ...audience } = announcement
  if (state === 'sending') {
    await queueEmails(tx, id, audience)
  }

  return true
}

/**
 * Tells whether the author of `announcements a` may still send it: every role may announce, but
 * teachers only to their own courses.
 */
const authorMaySend = sql`exists (
  select
  from staff s
    join users u on u.id = s.uid
  where s.uid = a.author
    and not u.banned
    and (
      s.role = any(${sql.param(rolesWithAllCourses)}::text[])
      or exists (
        select from staff_courses c
        where c.uid = s.uid and c.course_id = a.course_id)))`

async function listSendingAnnouncements(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id
    from announcements
    where state = 'sending'
    order by due_at, id`)

  return rows.map(({ id }) => id)
}

type ClaimedEmail = ClaimedRecipient & { state: AnnouncementMailState }

/**
 * Claims emails that are due. An email is 'skipped' instead if its learner has turned announcements
 * off, can't be reached any more, or has left the course.
 */
async function claimEmails(
  db: Database,
  announcementId: string,
  limit: number,
): Promise<ClaimedEmail[]> {
  const { rows } = await db.execute<ClaimedEmail>(sql`
    with chosen as (
      select m.uid, a.course_id
      from announcement_mails m
        join announcements a on a.id = m.announcement_id
      where a.id = ${announcementId}
        and a.state = 'sending'
        and m.state = 'due'
        and m.at <= now()
      order by m.at
      limit ${limit}
      for update of m skip locked
    )
    update announcement_mails m
    set at = now(),
      state = case
        when ${announcementRecipientCondition(sql`c.course_id`)}
          and (
            c.course_id is null
            or exists (
              select from enrollments e
              where e.uid = u.id and e.course_id = c.course_id))
        then 'claimed'
        else 'skipped'
      end
    from chosen c
      join users u on u.id = c.uid
    where m.uid = c.uid and m.announcement_id = ${announcementId}
    returning m.uid, m.state, m.attempts, u.email`)

  return rows
}

type EmailResult = {
  state: AnnouncementMailState
  reason?: string
  attempts?: number
  retryInMs?: number
}

/**
 * Stores what has become of a claimed email. In the meantime, another process may have marked the
 * email as uncertain; or the account was deleted, and the email with it.
 */
async function settleEmail(
  db: Database,
  { announcementId, uid }: { announcementId: string; uid: string },
  { state, reason, attempts = 0, retryInMs = 0 }: EmailResult,
): Promise<void> {
  await db.execute(sql`
    update announcement_mails
    set state = ${state},
      reason = ${reason ?? null},
      attempts = ${attempts},
      at = now() + make_interval(secs => ${retryInMs / secondMs}::float8)
    where uid = ${uid}
      and announcement_id = ${announcementId}
      and state in ('claimed', 'uncertain')`)
}

/** Marks emails whose process was killed during the conversation with the mail server. */
async function markAbandonedEmailsUncertain(db: Database): Promise<void> {
  await db.execute(sql`
    update announcement_mails
    set state = 'uncertain', at = now()
    where state = 'claimed'
      and at < now() - make_interval(secs => ${maxClaimMs / secondMs}::float8)`)
}

/** Marks announcements as done whose last email has been settled. */
async function finishAnnouncements(db: Database): Promise<void> {
  await db.execute(sql`
    update announcements a
    set state = 'done', ended_at = now(), trouble = null
    where a.state = 'sending'
      and not exists (
        select from announcement_mails m
        where m.announcement_id = a.id and m.state in ('due', 'claimed'))`)
}

/** Says why a scheduled announcement became a draft again. */
const authorMayNotSend =
  'It wasn’t sent on time, because the member of staff who scheduled it may no longer write to these learners. You can send it yourself.'
