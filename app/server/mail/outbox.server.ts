import { randomUUID } from 'node:crypto'
import { and, eq, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database, Statements } from '../database/client.server'
import { type MailKind, type OrderMailKind, outbox } from '../database/schema'
import { bounceCondition } from './bounce-replies.server'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** An email is given up this long after it was due. */
const sendingPeriodMs = dayMs

/** An operator can retry a failed email for this time. */
const retryPeriodMs = 14 * dayMs

/**
 * A bounce is kept for this time, because announcements don't go to email addresses that bounced. A
 * bounce of the account's previous email address does not matter to them.
 */
const bounceRetentionMs = 400 * dayMs
const isBounce = sql`(${bounceCondition} and ${outbox.formerAddress} is null)`

const firstRetryDelayMs = minuteMs / 2
const maxRetryDelayMs = 60 * minuteMs

/** Returns the time between a failed attempt and the next one. It doubles with each attempt. */
export function getRetryDelayMs(attempts: number): number {
  return Math.min(firstRetryDelayMs * 2 ** (attempts - 1), maxRetryDelayMs)
}

/** Queues an email in the transaction of its cause, so that neither happens without the other. */
export function queueMail(
  db: Statements,
  uid: string,
  kind: MailKind,
  now = Date.now(),
): Promise<void> {
  return queueMails(db, kind, [{ uid, dueAt: now }], now)
}

type EmailDetails = {
  /** The previous email address of the account, if the email goes there. */
  formerAddress?: string
  orderId?: string
  /** What the email is about, such as a device or the ID of a refund. */
  topic?: string
}

/**
 * Queues an email with details that its kind needs.
 *
 * @param uid null if the account is deleted
 */
export async function queueMailWith(
  db: Statements,
  uid: string | null,
  kind: MailKind,
  details: EmailDetails,
  now = Date.now(),
): Promise<void> {
  await db.insert(outbox).values({
    id: randomUUID(),
    uid,
    kind,
    ...details,
    createdAt: new Date(now),
    dueAt: new Date(now),
    giveUpAt: new Date(now + sendingPeriodMs),
  })
}

/**
 * Queues an email about an order.
 *
 * @param topic the ID of the refund, for a credit note
 */
export function queueOrderMail(
  db: Statements,
  uid: string,
  kind: OrderMailKind,
  orderId: string,
  topic?: string,
) {
  return queueMailWith(db, uid, kind, { orderId, topic })
}

/**
 * Queues an email to each of several accounts. Different due times spread the load on the mail
 * server.
 */
export async function queueMails(
  db: Statements,
  kind: MailKind,
  recipients: readonly { uid: string; dueAt: number }[],
  now = Date.now(),
): Promise<void> {
  if (recipients.length === 0) {
    return
  }

  await db.insert(outbox).values(
    recipients.map(({ uid, dueAt }) => ({
      id: randomUUID(),
      uid,
      kind,
      createdAt: new Date(now),
      dueAt: new Date(dueAt),
      giveUpAt: new Date(dueAt + sendingPeriodMs),
    })),
  )
}

/** Selects the emails that wait, or that failed so recently that an operator can retry them. */
export function isUnsent(now = Date.now()) {
  return or(isNull(outbox.failedAt), gte(outbox.failedAt, new Date(now - retryPeriodMs)))
}

/** Removes the emails that can't be retried any more, but keeps bounces for longer. */
export async function removeFailedMails(db: Database, now: number): Promise<void> {
  const isOutdatedBounce = lt(outbox.failedAt, new Date(now - bounceRetentionMs))
  await db
    .delete(outbox)
    .where(
      and(
        lt(outbox.failedAt, new Date(now - retryPeriodMs)),
        or(isOutdatedBounce, sql`${isBounce} is not true`),
      ),
    )
}

/**
 * Makes emails due now that have failed, or that wait for another attempt.
 *
 * @param id selects one email, or all if it is null
 * @returns the number of emails
 */
export async function retryMail(
  db: Database,
  id: string | null,
  now = Date.now(),
): Promise<number> {
  const hasFailedAttempt = and(isNotNull(outbox.reason), isUnsent(now))
  const rows = await db
    .update(outbox)
    .set({
      failedAt: null,
      attempts: 0,
      dueAt: new Date(now),
      giveUpAt: new Date(now + sendingPeriodMs),
    })
    .where(id ? and(hasFailedAttempt, eq(outbox.id, id)) : hasFailedAttempt)
    .returning({ id: outbox.id })

  return rows.length
}

export type OutboxFigures = {
  waiting: number
  /** The emails that an operator can retry. */
  failed: number
  /** The time since the oldest waiting email was due. */
  oldestSeconds: number
}

/** Counts the waiting and the failed emails. Returns null if the query has no row. */
export async function readOutboxFigures(
  db: Database,
  now = Date.now(),
): Promise<OutboxFigures | null> {
  const {
    rows: [figures],
  } = await db.execute<OutboxFigures>(sql`
    select
      count(*) filter (where failed_at is null)::int as waiting,
      count(failed_at)::int as failed,
      greatest(
        0,
        coalesce(
          extract(
            epoch from ${new Date(now).toISOString()}::timestamptz
              - min(give_up_at) filter (where failed_at is null))
            + ${sendingPeriodMs / 1000},
          0
        )
      )::float8 as "oldestSeconds"
    from outbox
    where ${isUnsent(now)}`)

  return figures ?? null
}
