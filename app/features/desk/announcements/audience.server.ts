import { type SQL, sql } from 'drizzle-orm'
import { demoUid } from '~/features/accounts/account-queries.server'
import type { Database, Statements } from '~/server/database/client.server'
import type { AudienceKind } from './announcement-states'

export type Audience = {
  /** Null for the whole school. */
  courseId: string | null
  audience: AudienceKind
  /** Only for `away`. */
  awayDays: number | null
}

/** A condition on `users u`. */
function isInAudience({ courseId, audience, awayDays }: Audience): SQL {
  const since = sql`now() - make_interval(days => ${awayDays ?? 0}::int)`
  if (courseId === null) {
    if (audience !== 'away') {
      return sql`true`
    }

    return sql`coalesce(u.last_login_at, u.created_at) < ${since}
      and not exists (select from enrollments e where e.uid = u.id and e.last_accessed_at >= ${since})`
  }

  const which = {
    all: sql`true`,
    unfinished: sql`e.completed_at is null`,
    away: sql`e.last_accessed_at < ${since}`,
  }[audience]

  return sql`exists (select from enrollments e where e.uid = u.id and e.course_id = ${courseId} and ${which})`
}

/** A condition on `users u`: whether announcements may go to this account. */
export const getsAnnouncements = sql`(u.email_verified and not u.banned and u.wants_announcements and u.id <> ${demoUid})`

/**
 * A mail server refuses an unknown address with 550, 551 or 553, and with 5.1.x if it sends an
 * enhanced code (RFC 3463).
 */
export const isBounce = sql.raw(String.raw`reason ~ '\m55[013][ -](5\.1\.|[^5]|5[^.])'`)

/** Learners whose address was refused by a mail server after it was confirmed. */
const bounced = sql`
  select m.uid from announcement_mails m join users b on b.id = m.uid
    where m.state = 'failed' and m.at > coalesce(b.email_verified_at, '-infinity') and ${isBounce}
  union all select o.uid from outbox o join users b on b.id = o.uid
    where o.failed_at > coalesce(b.email_verified_at, '-infinity') and o.former_address is null and ${isBounce}`

const isReached = sql`(${getsAnnouncements} and u.id not in (${bounced}))`

/** Counts the learners in the audience, and those of them who get the mail. */
export async function countAudience(
  db: Pick<Database, 'execute'>,
  audience: Audience,
): Promise<{ learners: number; reached: number }> {
  const { rows } = await db.execute<{ learners: number; reached: number }>(sql`
    select count(*)::int as learners, (count(*) filter (where ${isReached}))::int as reached
    from users u where u.id <> ${demoUid} and ${isInAudience(audience)}`)
  return rows[0] ?? { learners: 0, reached: 0 }
}

/** Small enough for the time limit of a statement. */
const mailsAtOnce = 20_000

/** Queues a mail for everybody who is in the audience now. */
export async function addMails(
  transaction: Pick<Statements, 'execute'>,
  { id, ...audience }: Audience & { id: string },
): Promise<void> {
  for (let last: string | null = ''; last !== null; ) {
    const { rows }: { rows: { last: string | null }[] } = await transaction.execute(sql`
      with chosen as (
        select u.id from users u where u.id > ${last} and ${isInAudience(audience)} and ${isReached}
        order by u.id limit ${mailsAtOnce}),
      made as (
        insert into announcement_mails (uid, announcement_id, at) select id, ${id}, now() from chosen
        on conflict do nothing)
      select max(id) as last from chosen`)

    last = rows[0]?.last ?? null
  }
}
