/** Loads the pages of announcements. Teachers see the announcements to their own courses. */
import { sql } from 'drizzle-orm'
import { hasPermission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { getVisibleCourseCondition } from '~/features/staff/visible-courses.server'
import type { Database } from '~/server/database/client.server'
import {
  createCursorCondition,
  formatCursorTime,
  readCursor,
  rowsPerPage,
  toPage,
} from '~/server/database/list-pages.server'
import { env } from '~/server/env.server'
import { lacksMailServer } from '~/server/mail/mail.server'
import { previewMailMarkdown } from '~/server/markdown/mail-markdown.server'
import { mailSender } from '~/server/site/site.server'
import type { DeskRequest } from '../desk-request.server'
import type { AnnouncementStatus, AudienceKind } from './announcement-types'
import { countAudience } from './audience.server'
import { areEmailsRemoved, type MailCounts, mailCounts } from './mail-counts.server'

type AnnouncementRow = {
  id: string
  subject: string
  status: AnnouncementStatus
  /** Is null if the audience is the whole school. */
  courseTitle: string | null
  audience: AudienceKind
  awayDays: number | null
  authorName: string | null
  /** The time of sending, past or scheduled. Null for a draft. */
  sentAt: string | null
  counts: MailCounts
  cursorAt: string
}

export type AnnouncementsPageData = Awaited<ReturnType<typeof loadAnnouncementsPage>>

/** Loads a page of the list of announcements, newest first. */
export async function loadAnnouncementsPage({ db, staff, search }: DeskRequest) {
  const { rows } = await db.execute<AnnouncementRow>(sql`
    with page as materialized (
      select a.*
      from announcements a
      where ${getVisibleCourseCondition(staff, sql`a.course_id`)}
        and ${createCursorCondition(readCursor(search), sql`a.created_at`, sql`a.id`)}
      order by a.created_at desc, a.id desc
      limit ${rowsPerPage + 1}
    )
    select a.id,
      a.subject,
      a.state as status,
      c.title as "courseTitle",
      a.audience,
      a.away_days as "awayDays",
      u.name as "authorName",
      ${formatCursorTime(sql`coalesce(a.started_at, a.due_at)`)} as "sentAt",
      ${mailCounts} as counts,
      ${formatCursorTime(sql`a.created_at`)} as "cursorAt"
    from page a
      left join courses c on c.id = a.course_id
      left join users u on u.id = a.author
    order by a.created_at desc, a.id desc`)

  return toPage(rows)
}

export type NewAnnouncementPageData = Awaited<ReturnType<typeof loadNewAnnouncementPage>>

/** Loads the form of a new announcement. The URL can choose a course. */
export async function loadNewAnnouncementPage({ db, staff, search }: DeskRequest) {
  const courseIdInUrl = search.get('course')
  const courses = await listOfferedCourses(db, staff, courseIdInUrl)
  const chosenCourse = courses.find(({ id }) => id === courseIdInUrl)

  return {
    courses,
    chosenCourseId: chosenCourse?.id ?? null,
    canWriteToSchool: staff.courseIds === null,
  }
}

const maxOfferedCourses = 500

/**
 * Lists the courses to choose from, by title.
 *
 * @param chosenId the course that is listed even if there are too many courses
 */
async function listOfferedCourses(
  db: Pick<Database, 'execute'>,
  staff: StaffMember,
  chosenId: string | null,
) {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select c.id, c.title
    from courses c
    where ${getVisibleCourseCondition(staff, sql`c.id`)}
    order by c.id = ${chosenId ?? ''} desc, c.title
    limit ${maxOfferedCourses}`)

  return rows.toSorted((first, second) => first.title.localeCompare(second.title, 'en'))
}

export type AnnouncementPageData = NonNullable<Awaited<ReturnType<typeof loadAnnouncementPage>>>

/** Loads one announcement. Returns null if the member of staff does not see it. */
export async function loadAnnouncementPage(request: DeskRequest) {
  const { db, staff, params, now } = request
  const announcement = await findAnnouncement(db, staff, params.announcement ?? '')
  if (announcement === null) {
    return null
  }

  const { id, status, courseId, body, updatedAt, dueAt, endedAt } = announcement
  const isDraft = status === 'draft'
  const isUnsent = isDraft || status === 'scheduled'
  const [reach, problems, courses] = await Promise.all([
    isUnsent ? countAudience(db, announcement) : null,
    listProblems(request, id),
    isDraft ? listOfferedCourses(db, staff, courseId) : [],
  ])
  const sender = mailSender()
  const endTime = endedAt === null ? null : new Date(endedAt)

  return {
    announcement: hideEmailAddresses(announcement, staff),
    version: new Date(updatedAt).toISOString(),
    preview: {
      from: `${sender.name} <${sender.address}>`,
      html: previewMailMarkdown(body, env.PUBLIC_URL),
    },
    reach,
    ...problems,
    courses,
    areEmailsRemoved: areEmailsRemoved(endTime, now),
    isDue: dueAt !== null && new Date(dueAt) <= now,
    canWriteToSchool: staff.courseIds === null,
    canSeePeople: hasPermission(staff, 'see people'),
    hasMailServer: !lacksMailServer,
  }
}

type Announcement = {
  id: string
  subject: string
  body: string
  status: AnnouncementStatus
  courseId: string | null
  courseTitle: string | null
  audience: AudienceKind
  awayDays: number | null
  authorName: string | null
  dueAt: string | null
  startedAt: string | null
  endedAt: string | null
  updatedAt: string
  /** The mail server's last error, or why a scheduled announcement became a draft again. */
  sendingProblem: string | null
  counts: MailCounts
}

async function findAnnouncement(
  db: Database,
  staff: StaffMember,
  id: string,
): Promise<Announcement | null> {
  const { rows } = await db.execute<Announcement>(sql`
    select a.id,
      a.subject,
      a.body,
      a.state as status,
      a.course_id as "courseId",
      c.title as "courseTitle",
      a.audience,
      a.away_days as "awayDays",
      u.name as "authorName",
      ${formatCursorTime(sql`a.due_at`)} as "dueAt",
      ${formatCursorTime(sql`a.started_at`)} as "startedAt",
      ${formatCursorTime(sql`a.ended_at`)} as "endedAt",
      ${formatCursorTime(sql`a.updated_at`)} as "updatedAt",
      a.trouble as "sendingProblem",
      ${mailCounts} as counts
    from announcements a
      left join courses c on c.id = a.course_id
      left join users u on u.id = a.author
    where a.id = ${id} and ${getVisibleCourseCondition(staff, sql`a.course_id`)}`)

  return rows[0] ?? null
}

/**
 * Hides the mail server's reply, which may contain an email address, from staff who see no email
 * addresses. The problem of a draft is a text of Learnify's own.
 */
function hideEmailAddresses(announcement: Announcement, staff: StaffMember): Announcement {
  const { status, sendingProblem } = announcement
  if (staff.seesLearnerEmails || status === 'draft' || sendingProblem === null) {
    return announcement
  }

  return { ...announcement, sendingProblem: '' }
}

type ProblemRow = {
  id: string
  name: string
  /**
   * Is null for staff who see no email addresses. `reason` is null then as well, as it may contain
   * one.
   */
  email: string | null
  reason: string | null
  status: 'failed' | 'uncertain'
  cursorAt: string
}

/** Lists emails that failed or whose delivery is uncertain, latest first. */
async function listProblems({ db, staff, search }: DeskRequest, announcementId: string) {
  const { rows } = await db.execute<ProblemRow>(sql`
    select u.id,
      u.name,
      u.email,
      m.reason,
      m.state as status,
      ${formatCursorTime(sql`m.at`)} as "cursorAt"
    from announcement_mails m
      join users u on u.id = m.uid
    where m.announcement_id = ${announcementId}
      and m.state in ('failed', 'uncertain')
      and ${createCursorCondition(readCursor(search), sql`m.at`, sql`m.uid`)}
    order by m.at desc, m.uid desc
    limit ${rowsPerPage + 1}`)

  const { rows: rowsOnPage, next } = toPage(rows)
  const problems = staff.seesLearnerEmails
    ? rowsOnPage
    : rowsOnPage.map((row) => ({ ...row, email: null, reason: null }))

  return { problems, next }
}
