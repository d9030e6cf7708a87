/**
 * Who receives an announcement: the learners of its audience who can be reached and want it.
 *
 * An announcement to the whole school only goes to confirmed email addresses. An announcement to a
 * course also goes to the learners whom staff imported into the course, because a class has to be
 * reachable before its learners have chosen a password. Their invitations prove the address: if an
 * invitation bounces, its learner gets no announcement.
 */
import { type SQL, sql } from 'drizzle-orm'
import { demoUid } from '~/features/accounts/account-queries.server'
import type { Database, Statements } from '~/server/database/client.server'
import { importActionName } from '../import/learner-import.server'
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

/**
 * Returns the condition that the account in `users u` may receive announcements.
 *
 * @param courseId the course that the announcement is for; null in SQL for the whole school
 */
export function receivesAnnouncements(courseId: SQL): SQL {
  return sql`(
    (u.email_verified or ${wasImportedInto(courseId)})
    and not u.banned
    and u.wants_announcements
    and u.id <> ${demoUid})`
}

/** The audit log records each line of an import with its courses. */
function wasImportedInto(courseId: SQL): SQL {
  return sql`exists (
    select from operator_acts act
    where act.subject = u.id
      and act.act = ${importActionName}
      and act.arguments -> 'courses' ? ${courseId})`
}

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
/** What some mail servers say with the same codes about an email or a temporary state, not about the address. */
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

const hasBounced = sql`u.id in (${bouncedUids})`

function canBeReached({ courseId }: Audience): SQL {
  return sql`(${receivesAnnouncements(toSqlText(courseId))} and not ${hasBounced})`
}

function toSqlText(text: string | null): SQL {
  return sql`${text}::text`
}

/** The learners in an audience. Each of them is reached or counted for one reason. */
export type AudienceCount = {
  learners: number
  reached: number
  disabled: number
  /** They have turned announcements off. */
  optedOut: number
  /** Their email address accepts no email. */
  bounced: number
  unconfirmed: number
  /** The unconfirmed learners who were invited and have never signed in. */
  invited: number
}

/** Counts the learners in the audience, how many of them receive the email, and why others don't. */
export async function countAudience(
  db: Pick<Database, 'execute'>,
  audience: Audience,
): Promise<AudienceCount> {
  const { rows } = await db.execute<AudienceCount>(sql`
    select count(*)::int as learners,
      (count(*) filter (where obstacle is null))::int as reached,
      (count(*) filter (where obstacle = 'disabled'))::int as disabled,
      (count(*) filter (where obstacle = 'opted out'))::int as "optedOut",
      (count(*) filter (where obstacle = 'bounced'))::int as bounced,
      (count(*) filter (where obstacle = 'unconfirmed'))::int as unconfirmed,
      (count(*) filter (where obstacle = 'unconfirmed' and last_login_at is null))::int as invited
    from (
      select u.last_login_at,
        case
          when ${canBeReached(audience)} then null
          when u.banned then 'disabled'
          when not u.wants_announcements then 'opted out'
          when ${hasBounced} then 'bounced'
          else 'unconfirmed'
        end as obstacle
      from users u
      where u.id <> ${demoUid} and ${isInAudience(audience)}
    ) learner`)

  const [count] = rows
  if (!count) {
    throw new Error('A count has one row.')
  }

  return count
}

/** Queuing more emails at once could exceed the time limit of a statement. */
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
          and ${canBeReached(audience)}
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

/**
 * Lists invited learners of the audience who have never signed in, who can be invited again, and whose
 * latest invitation does not still wait to be sent.
 */
export async function listUnansweredInvitations(
  db: Pick<Database, 'execute'>,
  audience: Audience,
  maxCount: number,
): Promise<string[]> {
  const { rows } = await db.execute<{ uid: string }>(sql`
    select u.id as uid
    from users u
    where u.id <> ${demoUid}
      and ${isInAudience(audience)}
      and not u.email_verified
      and u.last_login_at is null
      and not u.banned
      and not ${hasBounced}
      and not exists (
        select from outbox o
        where o.uid = u.id and o.kind = 'invitation' and o.failed_at is null)
    order by u.id
    limit ${maxCount}`)

  return rows.map(({ uid }) => uid)
}
