import { sql } from 'drizzle-orm'
import { hasPermission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import type { Database } from '~/server/database/client.server'
import {
  cursorTime,
  cutPage,
  isAfter,
  pageRows,
  readCursor,
} from '~/server/database/list-pages.server'
import { env } from '~/server/env.server'
import { lacksMailServer } from '~/server/mail/mail.server'
import { previewMailMarkdown } from '~/server/markdown/mail-markdown.server'
import { mailSender } from '~/server/site/site.server'
import { isVisibleCourse } from '../courses/visible-courses.server'
import type { DeskRequest } from '../desk-request.server'
import type { AnnouncementState, AudienceKind } from './announcement-states'
import { countAudience } from './audience.server'
import { isForgotten, type MailCounts, mailCounts } from './mail-counts.server'
import { listOfferedCourses } from './new-announcement-page.server'

type Announcement = {
  id: string
  subject: string
  body: string
  state: AnnouncementState
  courseId: string | null
  courseTitle: string | null
  audience: AudienceKind
  awayDays: number | null
  authorName: string | null
  dueAt: string | null
  startedAt: string | null
  endedAt: string | null
  updatedAt: string
  trouble: string | null
  counts: MailCounts
}

async function findAnnouncement(
  db: Database,
  staff: StaffMember,
  id: string,
): Promise<Announcement | null> {
  const { rows } = await db.execute<Announcement>(sql`
    select a.id, a.subject, a.body, a.state, a.course_id as "courseId", c.title as "courseTitle", a.audience,
      a.away_days as "awayDays", u.name as "authorName", ${cursorTime(sql`a.due_at`)} as "dueAt",
      ${cursorTime(sql`a.started_at`)} as "startedAt", ${cursorTime(sql`a.ended_at`)} as "endedAt",
      ${cursorTime(sql`a.updated_at`)} as "updatedAt", a.trouble, ${mailCounts} as counts
    from announcements a left join courses c on c.id = a.course_id left join users u on u.id = a.author
    where a.id = ${id} and ${isVisibleCourse(staff, sql`a.course_id`)}`)

  return rows[0] ?? null
}

type ProblemRow = {
  id: string
  name: string
  /** Null for a teacher who sees no addresses. So is `reason`, which may contain one. */
  email: string | null
  reason: string | null
  state: 'failed' | 'uncertain'
  cursorAt: string
}

/** Mails that failed or are uncertain, latest first. */
async function listProblems({ db, staff, search }: DeskRequest, id: string) {
  const { rows } = await db.execute<ProblemRow>(sql`
    select u.id, u.name, u.email, m.reason, m.state, ${cursorTime(sql`m.at`)} as "cursorAt"
    from announcement_mails m join users u on u.id = m.uid
    where m.announcement_id = ${id} and m.state in ('failed', 'uncertain')
      and ${isAfter(readCursor(search), sql`m.at`, sql`m.uid`)}
    order by m.at desc, m.uid desc limit ${pageRows + 1}`)
  const { rows: shown, next } = cutPage(rows)

  return {
    problems: staff.seesAddresses
      ? shown
      : shown.map((row) => ({ ...row, email: null, reason: null })),
    next,
  }
}

export async function loadAnnouncementPage(call: DeskRequest) {
  const { db, staff, params, now } = call
  const found = await findAnnouncement(db, staff, params.announcement ?? '')
  if (!found) {
    return null
  }

  const isDraft = found.state === 'draft'
  const [reach, problems, courses] = await Promise.all([
    isDraft || found.state === 'scheduled' ? countAudience(db, found) : null,
    listProblems(call, found.id),
    isDraft ? listOfferedCourses(db, staff, found.courseId) : [],
  ])
  const sender = mailSender()

  return {
    // The mail server's reply may contain an address.
    announcement:
      staff.seesAddresses || isDraft ? found : { ...found, trouble: found.trouble && '' },
    version: new Date(found.updatedAt).toISOString(),
    preview: {
      from: `${sender.name} <${sender.address}>`,
      html: previewMailMarkdown(found.body, env.PUBLIC_URL),
    },
    reach,
    ...problems,
    courses,
    isForgotten: isForgotten(found.endedAt === null ? null : new Date(found.endedAt), now),
    isDue: found.dueAt !== null && new Date(found.dueAt) <= now,
    seesSchool: staff.courseIds === null,
    seesPeople: hasPermission(staff, 'see people'),
    sends: !lacksMailServer,
  }
}

export type AnnouncementPageData = NonNullable<Awaited<ReturnType<typeof loadAnnouncementPage>>>
