/**
 * The desk's page of learners' reviews. Staff who moderate also see hidden reviews, reports and the
 * authors' names. Teachers see the reviews of their own courses, and can answer them.
 *
 * Reviews from a course's files are changed in the files.
 */
import { type SQL, sql } from 'drizzle-orm'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import type { ReportReason } from '~/features/reviews/reports/report-messages'
import { countReportedReviews } from '~/features/reviews/reports/report-queries.server'
import {
  answerReview,
  dismissReports,
  hideReview,
  removeAnswer,
  showReview,
} from '~/features/reviews/review-actions.server'
import type { ReviewReference } from '~/features/reviews/review-moderation-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { getVisibleCourseCondition } from '~/features/staff/visible-courses.server'
import type { Database } from '~/server/database/client.server'
import {
  type Cursor,
  createCursorCondition,
  formatCursorTime,
  readCursor,
  rowsPerPage,
} from '~/server/database/list-pages.server'
import { type DeskAction, type DeskFormRequest, readText } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { readFilterText } from '../text-search.server'

/** The actions of the page of reviews, each on one review. */
export const reviewsActions = {
  hide: {
    permission: 'moderate reviews',
    needsRecentSignIn: false,
    perform: (request) =>
      hideReview(
        getRatingContext(request),
        getReviewReference(request),
        readText(request, 'reason'),
      ),
  },
  show: {
    permission: 'moderate reviews',
    needsRecentSignIn: false,
    perform: (request) => showReview(getRatingContext(request), getReviewReference(request)),
  },
  dismiss: {
    permission: 'moderate reviews',
    needsRecentSignIn: false,
    perform: (request) => dismissReports(request.actionContext, getReviewReference(request)),
  },
  answer: {
    permission: 'answer reviews',
    needsRecentSignIn: false,
    perform: (request) =>
      answerReview(request.actionContext, getReviewReference(request), readText(request, 'answer')),
  },
  'remove-answer': {
    permission: 'answer reviews',
    needsRecentSignIn: false,
    perform: (request) => removeAnswer(request.actionContext, getReviewReference(request)),
  },
} satisfies Record<string, DeskAction>

function getReviewReference(request: DeskFormRequest): ReviewReference {
  return { courseId: readText(request, 'course'), reviewId: readText(request, 'review') }
}

function getRatingContext({ actionContext }: DeskFormRequest) {
  return { ...actionContext, updateRatings: writeCourseSearch }
}

export type ReviewsPageData = Awaited<ReturnType<typeof loadReviewsPage>>

/**
 * Loads reviews: the reported ones first, those with the most reports at the top, then the newest.
 */
export async function loadReviewsPage({ db, staff, search }: DeskRequest) {
  const filter = { status: search.get('state') ?? '', courseId: readFilterText(search, 'course') }
  const canModerate = hasPermission(staff, 'moderate reviews')
  const cursor = parseReviewCursor(search.get('after') ?? '')

  const [reviews, reportedCount] = await Promise.all([
    listReviews(db, { ...filter, staff, canModerate, cursor }),
    canModerate ? countReportedReviews(db) : 0,
  ])
  const rows = reviews.slice(0, rowsPerPage)
  const lastRow = rows.at(-1)
  const hasNextPage = reviews.length > rowsPerPage

  return {
    filter,
    rows,
    next: hasNextPage && lastRow ? formatReviewCursor(lastRow) : null,
    canModerate,
    reportedCount,
  }
}

type ReviewRow = {
  id: string
  courseId: string
  courseTitle: string
  /** The author's uid. Null for staff who may not moderate. */
  uid: string | null
  /** Is null for a review without its author's name. */
  name: string | null
  rating: number
  comment: string | null
  isHidden: boolean
  hiddenReason: string | null
  answer: string | null
  openReports: number
  reportReasons: { reason: ReportReason; comment: string | null }[]
  cursorAt: string
}

/** The last review of the previous page. */
type ReviewCursor = Cursor & { openReports: number }

/** Parses a cursor such as '2~2026-11-20T12:00:00Z~id'. Returns null for the first page. */
function parseReviewCursor(text: string): ReviewCursor | null {
  const [, openReports, timeAndId = ''] = /^(\d{1,9})~(.+)$/.exec(text) ?? []
  const cursor = readCursor(new URLSearchParams({ after: timeAndId }))
  return cursor && { ...cursor, openReports: Number(openReports) }
}

function formatReviewCursor({ openReports, cursorAt, id }: ReviewRow): string {
  return `${openReports}~${cursorAt}~${id}`
}

type ReviewFilter = {
  staff: StaffMember
  canModerate: boolean
  status: string
  courseId: string
  cursor: ReviewCursor | null
}

/** A review with more reports shows the latest ones. */
const maxReportReasons = 10

/**
 * Lists one review more than a page shows, which tells whether there is a next page.
 *
 * Reviews with open reports are few, and are sorted by their number of reports. All others are read
 * from an index in the order of their time.
 */
async function listReviews(db: Database, filter: ReviewFilter): Promise<ReviewRow[]> {
  const { canModerate, status, cursor } = filter
  const matchesFilter = sql.join(listConditions(filter), sql` and `)
  const isAfterCursor = createCursorCondition(cursor, sql`r.created_at`, sql`r.id`)
  const previousReports = cursor?.openReports ?? null
  const maxRows = rowsPerPage + 1

  const { rows } = await db.execute<ReviewRow>(sql`
    with report_counts as (
      select review_id, count(*)::int as open_reports
      from review_reports
      where closed_at is null and ${canModerate}::boolean
      group by review_id
    ),
    reported as (
      select r.*, n.open_reports
      from report_counts n
        join reviews r on r.id = n.review_id
      where ${matchesFilter}
        and (
          ${previousReports}::int is null
          or n.open_reports < ${previousReports}::int
          or (n.open_reports = ${previousReports}::int and ${isAfterCursor}))
      order by open_reports desc, created_at desc, id desc
      limit ${maxRows}::int
    ),
    others as (
      select r.*, 0 as open_reports
      from reviews r
      where ${matchesFilter}
        and ${status !== 'reported'}::boolean
        and not exists (select from report_counts n where n.review_id = r.id)
        and (coalesce(${previousReports}::int, 1) > 0 or ${isAfterCursor})
      order by r.created_at desc, r.id desc
      limit ${maxRows}::int
    ),
    page as materialized (
      select * from reported
      union all
      select * from others
      order by open_reports desc, created_at desc, id desc
      limit ${maxRows}::int
    )
    select r.id,
      r.course_id as "courseId",
      c.title as "courseTitle",
      r.rating,
      r.comment,
      r.answer,
      r.open_reports as "openReports",
      case when ${canModerate}::boolean then r.uid end as uid,
      case when ${canModerate}::boolean or r.shows_name then u.name end as name,
      r.hidden_at is not null as "isHidden",
      r.hidden_reason as "hiddenReason",
      ${formatCursorTime(sql`r.created_at`)} as "cursorAt",
      case
        when r.open_reports = 0 then '[]'
        else (
          select json_agg(json_build_object('reason', reason, 'comment', comment))
          from (
            select reason, comment
            from review_reports p
            where p.review_id = r.id and p.closed_at is null
            order by p.created_at desc
            limit ${maxReportReasons}::int) latest)
      end as "reportReasons"
    from page r
      join courses c on c.id = r.course_id
      join users u on u.id = r.uid
    order by r.open_reports desc, r.created_at desc, r.id desc`)

  return rows
}

function listConditions({ staff, canModerate, status, courseId }: ReviewFilter): SQL[] {
  const conditions = [sql`r.removed_at is null`, getVisibleCourseCondition(staff, sql`r.course_id`)]
  if (!canModerate) {
    conditions.push(sql`r.hidden_at is null`)
  }

  if (courseId) {
    conditions.push(sql`r.course_id = ${courseId}`)
  }

  if (status === 'hidden') {
    conditions.push(sql`r.hidden_at is not null`)
  }

  if (status === 'low') {
    conditions.push(sql`r.rating <= 2`)
  }

  if (status === 'unanswered') {
    conditions.push(sql`r.answer is null and r.comment is not null`)
  }

  return conditions
}
