import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import type { AnnouncementMailState } from './announcement-states'

/** A learner's latest announcements, newest first. */
export async function listAnnounced(db: Pick<Database, 'execute'>, uid: string, limit: number) {
  const { rows } = await db.execute<{
    id: string
    subject: string
    state: AnnouncementMailState
    at: string
  }>(sql`
    select a.id, a.subject, m.state, m.at::text as at
    from announcement_mails m join announcements a on a.id = m.announcement_id
    where m.uid = ${uid} order by m.at desc, a.id desc limit ${limit}`)

  return rows
}
