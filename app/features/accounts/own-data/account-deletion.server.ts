import { eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { reviews, reviewVotes, users, verifications } from '~/server/database/schema/index'
import { fileNameOf } from '~/server/files.server'
import { certificates, courseSubject, recordPublicChange } from '~/server/product-state.server'

/** Called in the same transaction when courses lose ratings. */
export type RatingsChange = (transaction: Pick<Statements, 'execute'>, courseIds: readonly string[]) => Promise<void>

/**
 * Deletes an account and everything in it but what `kept-after-deletion.ts` lists, in the caller's transaction.
 *
 * @returns the photo's file, to be removed after the commit; null if there is no such account (any more).
 */
export async function deleteAccount(
  transaction: Statements,
  ratingsChange: RatingsChange,
  uid: string,
): Promise<{ photo: string | null } | null> {
  const [user] = await transaction.select({ image: users.image }).from(users).where(eq(users.id, uid)).for('update')
  if (!user) return null
  // Other people's votes on this learner's reviews. No foreign key can cover them, because reviews from the content
  // get votes, too.
  const courses = await listReviewedCourses(transaction, uid)
  await transaction.execute(sql`
    delete from review_votes v using reviews r where r.uid = ${uid} and v.course_id = r.course_id and v.review_id = r.id`)
  await transaction.delete(verifications).where(eq(verifications.value, uid))
  await transaction.delete(users).where(eq(users.id, uid))
  if (courses.length > 0) await ratingsChange(transaction, courses)
  await recordPublicChange(transaction, [...courses.map(courseSubject), certificates])
  return { photo: fileNameOf(user.image) }
}

/** Courses whose pages show something by the learner: a review or a vote. */
async function listReviewedCourses(db: Pick<Database, 'select'>, uid: string): Promise<string[]> {
  const own = db.select({ id: reviews.courseId }).from(reviews).where(eq(reviews.uid, uid))
  const votes = db.select({ id: reviewVotes.courseId }).from(reviewVotes).where(eq(reviewVotes.uid, uid))
  return (await own.union(votes)).map(({ id }) => id)
}
