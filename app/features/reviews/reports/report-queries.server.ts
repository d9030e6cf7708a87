import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database, Statements } from '~/server/database/client.server'
import { maxReportLength, reportReasons, reportTexts } from './report-messages'

/** Staff couldn't read more from one learner. */
const maxReportsPerDay = 20

export type ReportedReview = {
  courseId: string
  courseTitle: string
  /** Null for a review without its author's name. */
  name: string | null
  rating: number
  comment: string | null
  isReported: boolean
}

/** Visible reviews of other learners. Reviews from a course's files are the school's own. */
const reportable = (uid: string, reviewId: string) => sql`
  from reviews r join courses c on c.id = r.course_id
  where r.id = ${reviewId} and r.hidden_at is null and r.uid <> ${uid} and c.published`

/** @returns the review, or null if the learner can't report it. */
export async function findReportable(
  db: Database,
  uid: string,
  reviewId: string,
): Promise<ReportedReview | null> {
  const { rows } = await db.execute<ReportedReview>(sql`
    select c.id as "courseId", c.title as "courseTitle", r.rating, r.comment,
      case when r.shows_name then (select name from users where id = r.uid) end as name,
      exists (select from review_reports where uid = ${uid} and review_id = r.id) as "isReported"
    ${reportable(uid, reviewId)}`)

  return rows[0] ?? null
}

/** Stores a learner's report, once for each review. @returns a refusal as a sentence, or null. */
export async function recordReport(
  db: Database,
  { uid, reviewId }: { uid: string; reviewId: string },
  { reason, comment }: ReportForm,
): Promise<'gone' | 'too-many' | null> {
  const { rows } = await db.execute<{ found: boolean; isFull: boolean }>(sql`
    with wanted as (select r.id ${reportable(uid, reviewId)}),
    had as (
      select count(*) >= ${maxReportsPerDay}::int as is_full from review_reports
      where uid = ${uid} and review_id <> ${reviewId} and created_at > now() - interval '1 day'),
    stored as (
      insert into review_reports (uid, review_id, reason, comment)
      select ${uid}, id, ${reason}, nullif(${comment}::text, '') from wanted where not (select is_full from had)
      on conflict do nothing)
    select exists (select from wanted) as found, (select is_full from had) as "isFull"`)

  if (!rows[0]?.found) {
    return 'gone'
  }

  return rows[0].isFull ? 'too-many' : null
}

/**
 * Closes a review's reports after staff hid it or left it as it is.
 *
 * @returns the number of reports.
 */
export async function closeReports(
  db: Pick<Statements, 'execute'>,
  reviewId: string,
): Promise<number> {
  const { rows } = await db.execute(sql`
    update review_reports set closed_at = now() where review_id = ${reviewId} and closed_at is null returning uid`)
  return rows.length
}

/** Counts the reviews with open reports. */
export async function countReported(db: Pick<Statements, 'execute'>): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(distinct review_id)::int as count from review_reports where closed_at is null`,
  )
  return rows[0]?.count ?? 0
}

export const reportForm = z.object({
  reason: z.enum(reportReasons, reportTexts.choose),
  comment: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').replaceAll('\0', '').trim())
    .pipe(z.string().max(maxReportLength, reportTexts.tooLong))
    .default(''),
})

type ReportForm = z.infer<typeof reportForm>
