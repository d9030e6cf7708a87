import { sql } from 'drizzle-orm'
import {
  cursorTime,
  cutPage,
  isAfter,
  pageRows,
  readCursor,
} from '~/server/database/list-pages.server'
import { isVisibleCourse } from '../courses/visible-courses.server'
import type { DeskRequest } from '../desk-request.server'
import type { AnnouncementState, AudienceKind } from './announcement-states'
import { type MailCounts, mailCounts } from './mail-counts.server'

export type AnnouncementRow = {
  id: string
  subject: string
  state: AnnouncementState
  courseTitle: string | null
  audience: AudienceKind
  awayDays: number | null
  authorName: string | null
  /** The time of sending, past or scheduled; null for a draft. */
  sentAt: string | null
  counts: MailCounts
  cursorAt: string
}

/** Announcements, newest first. Teachers see those of their own courses. */
export async function loadAnnouncementsPage({ db, staff, search }: DeskRequest) {
  const { rows } = await db.execute<AnnouncementRow>(sql`
    with page as materialized (
      select a.* from announcements a
      where ${isVisibleCourse(staff, sql`a.course_id`)} and ${isAfter(readCursor(search), sql`a.created_at`, sql`a.id`)}
      order by a.created_at desc, a.id desc limit ${pageRows + 1})
    select a.id, a.subject, a.state, c.title as "courseTitle", a.audience, a.away_days as "awayDays", u.name as "authorName",
      ${cursorTime(sql`coalesce(a.started_at, a.due_at)`)} as "sentAt", ${mailCounts} as counts,
      ${cursorTime(sql`a.created_at`)} as "cursorAt"
    from page a left join courses c on c.id = a.course_id left join users u on u.id = a.author
    order by a.created_at desc, a.id desc`)

  return cutPage(rows)
}

export type AnnouncementsPageData = NonNullable<Awaited<ReturnType<typeof loadAnnouncementsPage>>>
