/** Who receives an announcement: the learners of its audience who can be reached and want it. */
import { type SQL, sql } from 'drizzle-orm'
import { demoUid } from '~/features/accounts/account-queries.server'
import type { Database, Statements } from '~/server/database/client.server'
import type { AudienceKind } from './announcement-states'

export type Audience = {
  /** Null for the whole school. */
  courseId: string | null
  audience: AudienceKind
  /** The days without a visit, for the audience `away`; otherwise null. */
  awayDays: number | null
}

/** Returns the condition that the learner in `users u` belongs to the audience. */
function isInAudience({ courseId, audience, awayDays }: Audience): SQL {
  const awaySince = sql`now() - make_interval(days => ${awayDays ?? 0}::int)`
  if (courseId === null) {
    return audience === 'away' ? isAwayFromSchool(awaySince) : sql`true`
  }

  const enrollmentConditions = {
    all: sql`true`,
    unfinished: sql`e.completed_at is null`,
    away: sql`e.last_accessed_at < ${awaySince}`,
  }

  return sql`exists (
    select from enrollments e
    where e.uid = u.id
      and e.course_id = ${courseId}
      and ${enrollmentConditions[audience]})`
}

function isAwayFromSchool(awaySince: SQL): SQL {
  return sql`coalesce(u.last_login_at, u.created_at) < ${awaySince}
    and not exists (
      select from enrollments e
      where e.uid = u.id and e.last_accessed_at >= ${awaySince})`
}

/** The condition that the account in `users u` may receive announcements. */
export const receivesAnnouncements = sql`(
  u.email_verified
  and not u.banned
  and u.wants_announcements
  and u.id <> ${demoUid})`

/**
 * Enhanced codes (RFC 3463) of email addresses that do not exist: 5.1.x, except 5.1.7 and 5.1.8, which
 * blame the sender.
 */
const hasUnknownAddressCode = String.raw`\m55[0134][ -]5\.1\.(?![78]\M)`
/** A disabled mailbox (5.2.1), and an address that Exchange does not know (5.4.1). */
const hasClosedMailboxCode = String.raw`\m55[0134][ -]5\.(2|4)\.1\M`
/** A reply without an enhanced code. RFC 5321 defines 550, 551 and 553 as problems with the address. */
const hasAddressReply = String.raw`\m55[013][ -]([^5]|5[^.])`
/** A reply without an enhanced code, as Yahoo sends it. 554 alone may also blame the email. */
const hasYahooReply = String.raw`\m554[ -].*(have an? \S+ account|mailbox is disabled|no such user|user unknown)`
/** What some mail servers say with the same codes about an email or a moment, not about the address. */
const isNotAboutAddress = String.raw`spam|(mailbox|inbox).*\mfull\M|quota|out of storage|gr[ae]y-?list|(black|block)-?list|reputation`

/**
 * The condition that `reason` says that the email address accepts no email for good: it does not
 * exist, or its mailbox is disabled.
 */
export const isBounce = sql.raw(`(
  reason ~ '${hasUnknownAddressCode}'
  or (reason ~* '${hasClosedMailboxCode}|${hasAddressReply}|${hasYahooReply}'
    and reason !~* '${isNotAboutAddress}'))`)

/** Learners whose email address bounced after they had confirmed it. */
const bouncedUids = sql`
  select m.uid
  from announcement_mails m
    join users b on b.id = m.uid
  where m.state = 'failed'
    and m.at > coalesce(b.email_verified_at, '-infinity')
    and ${isBounce}
  union all
  select o.uid
  from outbox o
    join users b on b.id = o.uid
  where o.failed_at > coalesce(b.email_verified_at, '-infinity')
    and o.former_address is null
    and ${isBounce}`

const canBeReached = sql`(${receivesAnnouncements} and u.id not in (${bouncedUids}))`

export type AudienceCount = { learners: number; reached: number }

/** Counts the learners in the audience, and how many of them receive the email. */
export async function countAudience(
  db: Pick<Database, 'execute'>,
  audience: Audience,
): Promise<AudienceCount> {
  const { rows } = await db.execute<AudienceCount>(sql`
    select count(*)::int as learners,
      (count(*) filter (where ${canBeReached}))::int as reached
    from users u
    where u.id <> ${demoUid} and ${isInAudience(audience)}`)

  const [count] = rows
  if (!count) {
    throw new Error('A count has one row.')
  }

  return count
}

/** So many emails are queued within the time limit of a statement. */
const maxEmailsPerStatement = 20_000

/** Queues an email to everyone who is in the audience now. */
export async function queueEmails(
  tx: Pick<Statements, 'execute'>,
  announcementId: string,
  audience: Audience,
): Promise<void> {
  let lastUid: string | null = ''
  while (lastUid !== null) {
    const { rows }: { rows: { lastUid: string | null }[] } = await tx.execute(sql`
      with chosen as (
        select u.id
        from users u
        where u.id > ${lastUid}
          and ${isInAudience(audience)}
          and ${canBeReached}
        order by u.id
        limit ${maxEmailsPerStatement}
      ),
      queued as (
        insert into announcement_mails (uid, announcement_id, at)
        select id, ${announcementId}, now() from chosen
        on conflict do nothing
      )
      select max(id) as "lastUid" from chosen`)

    lastUid = rows[0]?.lastUid ?? null
  }
}
