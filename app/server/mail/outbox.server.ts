import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database, Statements } from '../database/client.server'
import { type MailKind, type OrderMailKind, outbox } from '../database/schema'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How long sending is tried, counted from when the email was due. */
const sendingPeriodMs = dayMs

/** How long an operator can look at an email that failed. */
export const failedMailAgeMs = 14 * dayMs

/** The pause after a failed attempt: half a minute, doubled each time, at most an hour. */
export function retryPauseMs(attempts: number): number {
  return Math.min((minuteMs / 2) * 2 ** (attempts - 1), 60 * minuteMs)
}

/** Queues an email in the transaction of its cause, so neither happens without the other. */
export function queueMail(
  db: Statements,
  uid: string,
  kind: MailKind,
  now = Date.now(),
): Promise<void> {
  return queueMails(db, kind, [{ uid, dueAt: now }], now)
}

type Contents = { formerAddress?: string; orderId?: string; about?: string }

/**
 * Queues an email that goes to a former address, or is about an order or a device.
 *
 * @param uid null once the account is deleted.
 */
export async function queueMailWith(
  db: Statements,
  uid: string | null,
  kind: MailKind,
  contents: Contents,
  now = Date.now(),
): Promise<void> {
  const times = {
    createdAt: new Date(now),
    dueAt: new Date(now),
    giveUpAt: new Date(now + sendingPeriodMs),
  }

  await db.insert(outbox).values({ id: randomUUID(), uid, kind, ...contents, ...times })
}

/** Queues an email about an order. @param about the movement of money, for a credit note. */
export function queueOrderMail(
  db: Statements,
  uid: string,
  kind: OrderMailKind,
  orderId: string,
  about?: string,
) {
  return queueMailWith(db, uid, kind, { orderId, about })
}

/**
 * Queues an email to each of several accounts, due at different times, so that they don't leave as
 * one burst.
 */
export async function queueMails(
  db: Statements,
  kind: MailKind,
  mails: readonly { uid: string; dueAt: number }[],
  now = Date.now(),
): Promise<void> {
  if (mails.length === 0) {
    return
  }

  await db.insert(outbox).values(
    mails.map(({ uid, dueAt }) => ({
      id: randomUUID(),
      uid,
      kind,
      createdAt: new Date(now),
      dueAt: new Date(dueAt),
      giveUpAt: new Date(dueAt + sendingPeriodMs),
    })),
  )
}

/**
 * Makes emails due now that failed or wait after a failure: one by its id, or all.
 *
 * @returns how many.
 */
export async function retryMail(
  db: Database,
  id: string | null,
  now = Date.now(),
): Promise<number> {
  const tried = isNotNull(outbox.reason)
  const rows = await db
    .update(outbox)
    .set({
      failedAt: null,
      attempts: 0,
      dueAt: new Date(now),
      giveUpAt: new Date(now + sendingPeriodMs),
    })
    .where(id ? and(tried, eq(outbox.id, id)) : tried)
    .returning({ id: outbox.id })

  return rows.length
}

export type OutboxFigures = { waiting: number; failed: number; oldestSeconds: number }

/**
 * How many emails wait and have failed, and for how many seconds the oldest waiting one has been
 * due.
 */
export async function readOutboxFigures(db: Database): Promise<OutboxFigures | null> {
  const {
    rows: [figures],
  } = await db.execute<OutboxFigures>(sql`
    select count(*) filter (where failed_at is null)::int as waiting, count(failed_at)::int as failed,
      greatest(0, coalesce(extract(epoch from now() - min(give_up_at) filter (where failed_at is null)) + ${sendingPeriodMs / 1000}, 0))::float8
        as "oldestSeconds"
    from outbox`)

  return figures ?? null
}
