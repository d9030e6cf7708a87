/**
 * Counts an announcement's emails, and removes them some time after it has ended.
 *
 * An hour after the end, the emails do not change any more, so their counts are stored with the
 * announcement. 400 days after the end, the emails are removed.
 */
import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { bounceCondition } from '~/server/mail/bounce-replies.server'
import type { AnnouncementEmailStatus } from './announcement-types'

/** The number of an announcement's emails by status. A status without emails is left out. */
export type MailCounts = Partial<Record<AnnouncementEmailStatus, number>>

const currentCounts = sql`(
  select coalesce(json_object_agg(c.state, c.mails), '{}')::jsonb
  from (
    select m.state, count(*)::int as mails
    from announcement_mails m
    where m.announcement_id = a.id
    group by m.state) c)`

/** The `MailCounts` of `announcements a`. */
export const mailCounts = sql`coalesce(a.counted, ${currentCounts})`

/** The number of days after which the emails of an announcement that has ended are removed. */
export const emailRetentionDays = 400
const dayMs = 24 * 60 * 60_000

/** @param endedAt null if the announcement has not ended */
export function areEmailsRemoved(endedAt: Date | null, now: Date): boolean {
  return endedAt !== null && endedAt.getTime() < now.getTime() - emailRetentionDays * dayMs
}

/** Removing more emails at once could exceed the time limit of a statement. */
const maxEmailsPerStatement = 20_000

/**
 * Stores the counts of announcements that have ended, and removes the emails of those that ended
 * long ago.
 *
 * @param mayContinue returns false once another process has taken over
 */
export async function removeOldEmails(db: Database, mayContinue = () => true): Promise<void> {
  for (const step of [storeNextCounts, removeSomeEmails]) {
    let hasMore = true
    while (hasMore && mayContinue()) {
      hasMore = await step(db)
    }
  }
}

/** @returns whether there was an announcement to count */
async function storeNextCounts(db: Database): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update announcements a
    set counted = ${currentCounts}
    where a.id = (
      select id
      from announcements
      where counted is null
        and state in ('stopped', 'done')
        and ended_at < now() - interval '1 hour'
      limit 1
      for update skip locked)`)

  return Number(rowCount) > 0
}

/**
 * Removes emails, but keeps bounces, because learners whose email address bounced receive no other
 * announcement.
 *
 * @returns whether there were emails to remove
 */
async function removeSomeEmails(db: Database): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    delete from announcement_mails
    where (uid, announcement_id) in (
      select m.uid, m.announcement_id
      from announcements a
        join announcement_mails m on m.announcement_id = a.id
      where a.counted is not null
        and a.ended_at < now() - make_interval(days => ${emailRetentionDays}::int)
        and not (m.state = 'failed' and ${bounceCondition})
      limit ${maxEmailsPerStatement})`)

  return Number(rowCount) > 0
}
