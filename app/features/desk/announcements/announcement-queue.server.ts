/**
 * The announcements that are being sent, and the queue of their emails, in the database.
 *
 * - Once an announcement is due, its emails are queued as 'due'.
 * - A process claims an email before it sends it. Only that process sends the email.
 * - Afterwards, it stores the result. An email whose process was killed becomes 'uncertain', and is
 *   never sent again.
 */
import { sql } from 'drizzle-orm'
import { rolesWithAllCourses } from '~/features/staff/permissions'
import type { Database, Transaction } from '~/server/database/client.server'
import { sendTimeoutMs } from '~/server/mail/mail.server'
import type { Recipient } from './announcement-mail.server'
import type { AnnouncementEmailStatus, AnnouncementStatus } from './announcement-types'
import { type AudienceChoice, announcementRecipientCondition, queueEmails } from './audience.server'

const secondMs = 1000

/**
 * Begins the announcements that are due, and queues an email to everyone who is in the audience
 * now. If the author has lost the permission, the announcement becomes a draft again.
 */
export async function beginDueAnnouncements(db: Database): Promise<void> {
  let hasBegun = true
  while (hasBegun) {
    hasBegun = await db.transaction(beginNextAnnouncement)
  }
}

type BegunAnnouncement = AudienceChoice & { id: string; status: AnnouncementStatus }

/** @returns whether an announcement was due */
async function beginNextAnnouncement(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<BegunAnnouncement>(sql`
    update announcements a
    set state = case when ${authorMaySend} then 'sending' else 'draft' end,
      started_at = case when ${authorMaySend} then now() end,
      due_at = case when ${authorMaySend} then due_at end,
      trouble = case when not ${authorMaySend} then ${authorMayNotSendMessage}::text end
    where id = (
      select id
      from announcements
      where state = 'scheduled' and due_at <= now()
      order by due_at
      limit 1
      for update skip locked)
    returning id, state as status, course_id as "courseId", audience, away_days as "awayDays"`)

  const [announcement] = rows
  if (!announcement) {
    return false
  }

  const { id, status, ...audience } = announcement
  if (status === 'sending') {
    await queueEmails(tx, id, audience)
  }

  return true
}

/**
 * The condition that the author of `announcements a` may still send it: every role may announce,
 * but teachers only to their own courses.
 */
const authorMaySend = sql`exists (
  select
  from staff s
    join users u on u.id = s.uid
  where s.uid = a.author
    and not u.banned
    and (
      s.role = any(${sql.param(rolesWithAllCourses)}::text[])
      or exists (
        select from staff_courses c
        where c.uid = s.uid and c.course_id = a.course_id)))`

/** Lists the announcements that are being sent, in the order in which they were due. */
export async function listSendingAnnouncements(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id
    from announcements
    where state = 'sending'
    order by due_at, id`)

  return rows.map(({ id }) => id)
}

/** A recipient with the number of attempts to send the email so far. */
export type ClaimedRecipient = Recipient & { attempts: number }

type ClaimedEmail = ClaimedRecipient & { status: AnnouncementEmailStatus }

/**
 * Claims emails that are due. An email is 'skipped' instead if its learner has turned announcements
 * off, can't be reached any more, or has left the course.
 */
export async function claimEmails(
  db: Database,
  announcementId: string,
  limit: number,
): Promise<ClaimedEmail[]> {
  const { rows } = await db.execute<ClaimedEmail>(sql`
    with chosen as (
      select m.uid, a.course_id
      from announcement_mails m
        join announcements a on a.id = m.announcement_id
      where a.id = ${announcementId}
        and a.state = 'sending'
        and m.state = 'due'
        and m.at <= now()
      order by m.at
      limit ${limit}
      for update of m skip locked
    )
    update announcement_mails m
    set at = now(),
      state = case
        when ${announcementRecipientCondition(sql`c.course_id`)}
          and (
            c.course_id is null
            or exists (
              select from enrollments e
              where e.uid = u.id and e.course_id = c.course_id))
        then 'claimed'
        else 'skipped'
      end
    from chosen c
      join users u on u.id = c.uid
    where m.uid = c.uid and m.announcement_id = ${announcementId}
    returning m.uid, m.state as status, m.attempts, u.email`)

  return rows
}

type EmailResult = {
  status: AnnouncementEmailStatus
  /** The mail server's reply. */
  reason?: string
  attempts?: number
  retryInMs?: number
}

/**
 * Stores the result of sending a claimed email. In the meantime, another process may have marked
 * the email as uncertain; or the account was deleted, and the email with it.
 */
export async function recordEmailResult(
  db: Database,
  { announcementId, uid }: { announcementId: string; uid: string },
  { status, reason, attempts = 0, retryInMs = 0 }: EmailResult,
): Promise<void> {
  await db.execute(sql`
    update announcement_mails
    set state = ${status},
      reason = ${reason ?? null},
      attempts = ${attempts},
      at = now() + make_interval(secs => ${retryInMs / secondMs}::float8)
    where uid = ${uid}
      and announcement_id = ${announcementId}
      and state in ('claimed', 'uncertain')`)
}

/**
 * A conversation with the mail server ends before this time, so the process of an older claim has
 * ended.
 */
const maxClaimMs = sendTimeoutMs + 30 * secondMs

/** Marks emails whose process was killed during the conversation with the mail server. */
export async function markAbandonedEmailsUncertain(db: Database): Promise<void> {
  await db.execute(sql`
    update announcement_mails
    set state = 'uncertain', at = now()
    where state = 'claimed'
      and at < now() - make_interval(secs => ${maxClaimMs / secondMs}::float8)`)
}

/** Stores the mail server's error. The page of each announcement that is being sent shows it. */
export async function recordMailServerProblem(db: Database, reason: string): Promise<void> {
  await db.execute(sql`
    update announcements
    set trouble = ${reason}
    where state = 'sending'`)
}

/** Removes the stored error of the mail server, once the server responds again. */
export async function clearMailServerProblem(db: Database): Promise<void> {
  await db.execute(sql`
    update announcements
    set trouble = null
    where state = 'sending' and trouble is not null`)
}

/** Marks announcements as done once none of their emails waits or is being sent. */
export async function finishAnnouncements(db: Database): Promise<void> {
  await db.execute(sql`
    update announcements a
    set state = 'done', ended_at = now(), trouble = null
    where a.state = 'sending'
      and not exists (
        select from announcement_mails m
        where m.announcement_id = a.id and m.state in ('due', 'claimed'))`)
}

/** Says why a scheduled announcement became a draft again. */
const authorMayNotSendMessage =
  'It wasn’t sent on time, because the member of staff who scheduled it may no longer write to these learners. You can send it yourself.'
