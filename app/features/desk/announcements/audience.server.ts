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
import { getLastOpenedAt } from '~/features/enrollment/enrollment-queries.server'
import type { Database, Statements } from '~/server/database/client.server'
import { importActionName } from '../import/learner-import.server'
import type { AudienceKind } from './announcement-types'
import { bouncedUids } from './bounces.server'

/** Which learners a member of staff has chosen for an announcement. */
export type AudienceChoice = {
  /** Is null if the audience is the whole school. */
  courseId: string | null
  audience: AudienceKind
  /** The days without a visit, for the audience `away`; otherwise null. */
  awayDays: number | null
}

/** Returns the condition that the learner in `users u` belongs to the audience. */
function audienceCondition({ courseId, audience, awayDays }: AudienceChoice): SQL {
  const awaySince = sql`now() - make_interval(days => ${awayDays ?? 0}::int)`
  if (courseId === null) {
    return audience === 'away' ? awayFromSchoolCondition(awaySince) : sql`true`
  }

  const enrollmentConditions = {
    all: sql`true`,
    unfinished: sql`e.completed_at is null`,
    away: sql`e.enrolled_at < ${awaySince} and not ${hasOpenedCourseCondition(awaySince)}`,
  }

  return sql`exists (
    select from enrollments e
    where e.uid = u.id
      and e.course_id = ${courseId}
      and ${enrollmentConditions[audience]})`
}

/**
 * Returns the condition that the learner in `users u` has not come to the school since the time. An
 * account that was created since then is not away yet.
 */
function awayFromSchoolCondition(awaySince: SQL): SQL {
  return sql`coalesce(u.last_login_at, u.created_at) < ${awaySince}
    and not exists (
      select from enrollments e
      where e.uid = u.id and ${hasOpenedCourseCondition(awaySince)})`
}

/**
 * Returns the condition that the learner of `enrollments e` has opened the course since the time.
 */
function hasOpenedCourseCondition(since: SQL): SQL {
  return sql`coalesce(${getLastOpenedAt(sql`e`)} >= ${since}, false)`
}

/** The condition that the email address of the account in `users u` accepts no email. */
const hasBouncedCondition = sql`u.id in (${bouncedUids})`

/**
 * Returns the condition that the account in `users u` may receive announcements, and that its email
 * address takes them.
 *
 * @param courseId the course that the announcement is for; null in SQL for the whole school
 */
export function announcementRecipientCondition(courseId: SQL): SQL {
  return sql`(
    (u.email_verified or ${importedIntoCourseCondition(courseId)})
    and not u.banned
    and u.wants_announcements
    and u.id <> ${demoUid}
    and not ${hasBouncedCondition})`
}

/** The audit log records each line of an import with its courses. */
function importedIntoCourseCondition(courseId: SQL): SQL {
  return sql`exists (
    select from operator_acts act
    where act.subject = u.id
      and act.act = ${importActionName}
      and act.arguments -> 'courses' ? ${courseId})`
}

/**
 * The condition that the learner in `users u` can be invited again: they have never signed in,
 * their account is not disabled, and no invitation to them waits to be sent or has bounced.
 */
const invitableCondition = sql`(
  not u.email_verified
  and u.last_login_at is null
  and not u.banned
  and not ${hasBouncedCondition}
  and not exists (
    select from outbox o
    where o.uid = u.id and o.kind = 'invitation' and o.failed_at is null))`

/**
 * The largest number of invitations that are queued at once. The others can be queued on the next
 * day.
 */
const maxInvitations = 5_000

/** Casts the parameter, because PostgreSQL can't tell the type of null. */
function toSqlText(text: string | null): SQL {
  return sql`${text}::text`
}

/**
 * The number of learners in an audience. Each of them is reached, or counted for the first reason
 * why not.
 */
export type AudienceCount = {
  learners: number
  reached: number
  disabled: number
  /** The learners who have turned announcements off. */
  optedOut: number
  /** The learners whose email address accepts no email. */
  bounced: number
  unconfirmed: number
  /** The learners who can be invited again, whether or not they are reached. */
  invitable: number
}

/**
 * Counts the learners in the audience, how many of them receive the email, and why others don't.
 */
export async function countAudience(
  db: Pick<Database, 'execute'>,
  choice: AudienceChoice,
): Promise<AudienceCount> {
  const { rows } = await db.execute<AudienceCount>(sql`
    select count(*)::int as learners,
      (count(*) filter (where obstacle is null))::int as reached,
      (count(*) filter (where obstacle = 'disabled'))::int as disabled,
      (count(*) filter (where obstacle = 'opted out'))::int as "optedOut",
      (count(*) filter (where obstacle = 'bounced'))::int as bounced,
      (count(*) filter (where obstacle = 'unconfirmed'))::int as unconfirmed,
      least(count(*) filter (where is_invitable), ${maxInvitations})::int as invitable
    from (
      select ${invitableCondition} as is_invitable,
        case
          when ${announcementRecipientCondition(toSqlText(choice.courseId))} then null
          when u.banned then 'disabled'
          when not u.wants_announcements then 'opted out'
          when ${hasBouncedCondition} then 'bounced'
          else 'unconfirmed'
        end as obstacle
      from users u
      where u.id <> ${demoUid} and ${audienceCondition(choice)}
    ) learner`)

  const [count] = rows
  if (!count) {
    throw new Error('The count of the audience returned no row.')
  }

  return count
}

/** Queuing more emails at once could exceed the time limit of a statement. */
const maxEmailsPerStatement = 20_000

/** Queues an email to everyone who is in the audience now. */
export async function queueEmails(
  tx: Pick<Statements, 'execute'>,
  announcementId: string,
  choice: AudienceChoice,
): Promise<void> {
  // The empty text sorts before every uid.
  let lastUid: string | null = ''
  while (lastUid !== null) {
    const { rows }: { rows: { lastUid: string | null }[] } = await tx.execute(sql`
      with chosen as (
        select u.id
        from users u
        where u.id > ${lastUid}
          and ${audienceCondition(choice)}
          and ${announcementRecipientCondition(toSqlText(choice.courseId))}
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

/** Lists the learners of the audience who can be invited again. */
export async function listUnansweredInvitations(
  db: Pick<Database, 'execute'>,
  choice: AudienceChoice,
): Promise<string[]> {
  const { rows } = await db.execute<{ uid: string }>(sql`
    select u.id as uid
    from users u
    where u.id <> ${demoUid}
      and ${audienceCondition(choice)}
      and ${invitableCondition}
    order by u.id
    limit ${maxInvitations}`)

  return rows.map(({ uid }) => uid)
}
