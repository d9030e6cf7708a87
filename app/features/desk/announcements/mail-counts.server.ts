import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import type { AnnouncementMailState } from './announcement-states'
import { isBounce } from './audience.server'

/** The number of an announcement's mails by state. States without mails are omitted. */
export type MailCounts = Partial<Record<AnnouncementMailState, number>>

const counting = sql`(
  select coalesce(json_object_agg(c.state, c.mails), '{}')::jsonb
  from (select m.state, count(*)::int as mails from announcement_mails m where m.announcement_id = a.id group by m.state) c)`

/** The `MailCounts` of `announcements a`, stored or still counted from its mails. */
export const mailCounts = sql`coalesce(a.counted, ${counting})`

/** How long an announcement's mails are kept after it ends. */
export const mailsKeptDays = 400

/** @param endedAt null if it hasn't ended. */
export function isForgotten(endedAt: Date | null, now: Date): boolean {
  return endedAt !== null && endedAt.getTime() < now.getTime() - mailsKeptDays * 24 * 60 * 60_000
}

/** Small enough for the time limit of a statement. */
const mailsAtOnce = 20_000

/**
 * Stores the counts of announcements that ended an hour ago, because their mails don't change any
 * more. Removes mails of announcements that ended long ago, but keeps bounces, because those
 * addresses get no other announcement.
 */
export async function forgetMails(db: Database, mayGoOn = () => true): Promise<void> {
  const countOne = () =>
    db.execute(sql`
    update announcements a set counted = ${counting} where a.id = (
      select id from announcements where counted is null and state in ('stopped', 'done') and ended_at < now() - interval '1 hour'
      limit 1 for update skip locked)`)
  const removeSome = () =>
    db.execute(sql`
    delete from announcement_mails where (uid, announcement_id) in (
      select m.uid, m.announcement_id from announcements a join announcement_mails m on m.announcement_id = a.id
      where a.counted is not null and a.ended_at < now() - make_interval(days => ${mailsKeptDays}::int)
        and not (m.state = 'failed' and ${isBounce})
      limit ${mailsAtOnce})`)

  for (const step of [countOne, removeSome]) {
    while (mayGoOn() && (await step()).rowCount) {}
  }
}
