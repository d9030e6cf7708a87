import { type SQL, sql } from 'drizzle-orm'
import type { ReportReason } from '~/features/reviews/reports/report-messages'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { isVisibleCourse } from '~/features/staff/visible-courses.server'
import type { Database } from '~/server/database/client.server'
import { cursorTime, isAfter, pageRows, readCursor } from '~/server/database/list-pages.server'

export type ReviewRow = {
  id: string
  courseId: string
  courseTitle: string
  /** Null for staff who may not moderate. */
  uid: string | null
  /** Null for a review without its author's name. */
  name: string | null
  rating: number
  comment: string | null
  hidden: boolean
  hiddenReason: string | null
  answer: string | null
  /** The number of open reports. */
  reports: number
  reasons: { reason: ReportReason; comment: string | null }[]
  cursorAt: string
}

type Wanted = {
  staff: StaffMember
  /** Whether hidden reviews, reports and authors' names are included. */
  moderates: boolean
  state: string
  course: string
  /** The cursor of the previous page, or ''. */
  after: string
}

/** A review with more reports shows the latest ones. */
const mostReasons = 10

/** Reported reviews come first, those with the most reports at the top, then the newest. */
export async function listReviewsAtDesk(db: Database, wanted: Wanted) {
  const { staff, moderates, state, course } = wanted
  const [, before, rest] = /^(\d{1,9})~(.+)$/.exec(wanted.after) ?? []
  const cursor = readCursor(new URLSearchParams({ after: rest ?? '' }))
  const reports = cursor ? Number(before) : null
  const filters = [
    sql`r.removed_at is null`,
    isVisibleCourse(staff, sql`r.course_id`),
    !moderates && sql`r.hidden_at is null`,
    course && sql`r.course_id = ${course}`,
    state === 'hidden' && sql`r.hidden_at is not null`,
    state === 'low' && sql`r.rating <= 2`,
    state === 'unanswered' && sql`r.answer is null and r.comment is not null`,
  ].filter((condition): condition is SQL => typeof condition === 'object')
  const fits = sql.join(filters, sql` and `)
  const isLater = isAfter(cursor, sql`r.created_at`, sql`r.id`)
  const order = sql`reports desc, created_at desc, id desc limit ${pageRows + 1}::int`
  const { rows } = await db.execute<ReviewRow>(sql`
    with reported as (
      select review_id, count(*)::int as reports from review_reports
      where closed_at is null and ${moderates}::boolean group by review_id
    ), first as (
      select r.*, n.reports from reported n join reviews r on r.id = n.review_id
      where ${fits} and (${reports}::int is null or n.reports < ${reports}::int
        or (n.reports = ${reports}::int and ${isLater})) order by ${order}
    ), others as (
      select r.*, 0 as reports from reviews r
      where ${fits} and ${state !== 'reported'}::boolean and not exists (select from reported n where n.review_id = r.id)
        and (coalesce(${reports}::int, 1) > 0 or ${isLater})
      order by r.created_at desc, r.id desc limit ${pageRows + 1}::int
    ), page as materialized (
      select * from first union all select * from others order by ${order}
    )
    select r.id, r.course_id as "courseId", c.title as "courseTitle", r.rating, r.comment, r.answer, r.reports,
      case when ${moderates}::boolean then r.uid end as uid,
      case when ${moderates}::boolean or r.shows_name then u.name end as name,
      r.hidden_at is not null as hidden, r.hidden_reason as "hiddenReason", ${cursorTime(sql`r.created_at`)} as "cursorAt",
      case when r.reports = 0 then '[]' else (
        select json_agg(json_build_object('reason', reason, 'comment', comment)) from (
          select reason, comment from review_reports p where p.review_id = r.id and p.closed_at is null
          order by p.created_at desc limit ${mostReasons}::int) latest) end as reasons
    from page r join courses c on c.id = r.course_id join users u on u.id = r.uid
    order by r.reports desc, r.created_at desc, r.id desc`)
  const shown = rows.slice(0, pageRows)
  const last = shown.at(-1)

  return {
    rows: shown,
    next: rows.length > pageRows && last ? `${last.reports}~${last.cursorAt}~${last.id}` : null,
  }
}
