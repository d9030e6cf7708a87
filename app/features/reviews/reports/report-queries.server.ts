/**
 * Learners report reviews of other learners, and staff close the reports.
 *
 * A learner can report a visible review once. Reviews from a course's file can't be reported,
 * because they are the school's own.
 */
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { isRealNameInDatabase } from '~/features/accounts/full-name.server'
import type { Database, Statements } from '~/server/database/client.server'
import { maxReportLength, reportReasons, reportTexts } from './report-messages'

export const reportForm = z.object({
  reason: z.enum(reportReasons, reportTexts.reasonMissing),
  comment: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').replaceAll('\0', '').trim())
    .pipe(z.string().max(maxReportLength, reportTexts.commentTooLong))
    .default(''),
})

type ReportForm = z.infer<typeof reportForm>

/** The limit keeps one learner from giving staff more reports than they can read. */
const maxReportsPerDay = 20

export type ReportableReview = {
  courseId: string
  courseTitle: string
  /** Null if the author doesn't show their name or has not given one. */
  name: string | null
  rating: number
  comment: string | null
  /** Whether this learner has reported the review already. */
  isReported: boolean
}

/**
 * Returns the `from` and `where` of a query for the review `r` of the course `c`, if it is
 * reportable.
 */
function fromReportableReview(uid: string, reviewId: string): SQL {
  return sql`
    from reviews r
    join courses c on c.id = r.course_id
    where r.id = ${reviewId} and r.hidden_at is null and r.uid <> ${uid} and c.published`
}

/** @returns null if the learner can't report the review */
export async function findReportableReview(
  db: Database,
  uid: string,
  reviewId: string,
): Promise<ReportableReview | null> {
  const { rows } = await db.execute<ReportableReview>(sql`
    select
      c.id as "courseId",
      c.title as "courseTitle",
      r.rating,
      r.comment,
      (
        select name
        from users
        where id = r.uid and r.shows_name and ${isRealNameInDatabase(sql`name`)}
      ) as name,
      exists (
        select from review_reports where uid = ${uid} and review_id = r.id
      ) as "isReported"
    ${fromReportableReview(uid, reviewId)}`)

  return rows[0] ?? null
}

/**
 * Stores a learner's report. Another report by the same learner about the same review changes
 * nothing.
 *
 * @returns why the report was refused, or null if the learner has reported the review
 */
export async function recordReport(
  db: Database,
  { uid, reviewId }: { uid: string; reviewId: string },
  { reason, comment }: ReportForm,
): Promise<'not-reportable' | 'too-many' | null> {
  const { rows } = await db.execute<{ isReportable: boolean; hasReachedLimit: boolean }>(sql`
    with reportable_review as (
      select r.id ${fromReportableReview(uid, reviewId)}
    ), other_reports as (
      select count(*) >= ${maxReportsPerDay}::int as has_reached_limit
      from review_reports
      where uid = ${uid}
        and review_id <> ${reviewId}
        and created_at > now() - interval '1 day'
    ), new_report as (
      insert into review_reports (uid, review_id, reason, comment)
      select ${uid}, id, ${reason}, nullif(${comment}::text, '')
      from reportable_review
      where not (select has_reached_limit from other_reports)
      on conflict do nothing
    )
    select
      exists (select from reportable_review) as "isReportable",
      (select has_reached_limit from other_reports) as "hasReachedLimit"`)

  const [result] = rows
  if (!result?.isReportable) {
    return 'not-reportable'
  }

  return result.hasReachedLimit ? 'too-many' : null
}

/**
 * Closes the reports about a review, after staff have hidden the review or left it as it is.
 *
 * @returns the number of closed reports
 */
export async function closeReports(
  db: Pick<Statements, 'execute'>,
  reviewId: string,
): Promise<number> {
  const { rows } = await db.execute(sql`
    update review_reports
    set closed_at = now()
    where review_id = ${reviewId} and closed_at is null
    returning uid`)
  return rows.length
}

/** Counts the reviews with open reports. */
export async function countReportedReviews(db: Pick<Statements, 'execute'>): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(distinct review_id)::int as count
    from review_reports
    where closed_at is null`)
  return rows[0]?.count ?? 0
}
