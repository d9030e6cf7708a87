import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database, Statements } from './database/client.server'
import { type MailKind, outbox } from './database/schema'

/** How long mail is tried for. */
const triedForMs = 24 * 60 * 60_000

/** Queues an email in the transaction of its cause, so neither happens without the other. */
export function queueMail(db: Statements, uid: string, kind: MailKind, now = Date.now()): Promise<void> {
  return queueMails(db, kind, [{ uid, dueAt: now }], now)
}

/** Tells whoever reads an account's former address that it was changed. */
export async function queueMailToFormerAddress(db: Statements, uid: string, formerAddress: string, now = Date.now()) {
  const times = { createdAt: new Date(now), dueAt: new Date(now), giveUpAt: new Date(now + triedForMs) }
  await db.insert(outbox).values({ id: randomUUID(), uid, kind: 'address-changed', formerAddress, ...times })
}

/** The same for several accounts, each at a time of its own, so that many don't leave as one burst. */
export async function queueMails(
  db: Statements,
  kind: MailKind,
  mails: readonly { uid: string; dueAt: number }[],
  now = Date.now(),
): Promise<void> {
  if (mails.length === 0) return
  await db.insert(outbox).values(
    mails.map(({ uid, dueAt }) => ({
      id: randomUUID(),
      uid,
      kind,
      createdAt: new Date(now),
      dueAt: new Date(dueAt),
      giveUpAt: new Date(dueAt + triedForMs),
    })),
  )
}

/** Tries mail again at once that failed or waits after a failure: one by its id, or all. @returns how many. */
export async function retryMail(db: Database, id: string | null, now = Date.now()): Promise<number> {
  const tried = isNotNull(outbox.reason)
  const rows = await db
    .update(outbox)
    .set({ failedAt: null, attempts: 0, dueAt: new Date(now), giveUpAt: new Date(now + triedForMs) })
    .where(id ? and(tried, eq(outbox.id, id)) : tried)
    .returning({ id: outbox.id })
  return rows.length
}

export type OutboxFigures = { waiting: number; failed: number; oldestSeconds: number }

/** What is to be sent and what was given up, with how long ago the oldest of the first was due; 0 while none is. */
export async function readOutboxFigures(db: Database): Promise<OutboxFigures | null> {
  const {
    rows: [figures],
  } = await db.execute<OutboxFigures>(sql`
    select count(*) filter (where failed_at is null)::int as waiting, count(failed_at)::int as failed,
      greatest(0, coalesce(extract(epoch from now() - min(give_up_at) filter (where failed_at is null)) + ${triedForMs / 1000}, 0))::float8
        as "oldestSeconds"
    from outbox`)
  return figures ?? null
}
