import { eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { reviews, reviewVotes, users, verifications } from '~/server/database/schema'
import { type FileStore, fileNameOf } from '~/server/files.server'
import { reportError } from '~/server/log.server'
import { pageCache } from '~/server/page-cache.server'
import { cataloguePage, coursePages } from '~/server/public-pages.server'

/**
 * Removes an account and everything of it, all or nothing: sessions, work, notes, reviews and their votes go with the
 * row of `users`. What stays of a certificate is its entry in the register, which names nobody and then shows as withdrawn.
 *
 * @returns false if there is no such account (any more).
 */
export async function removeAccount(
  { db, files }: { db: Database; files: Pick<FileStore, 'remove'> },
  uid: string,
): Promise<boolean> {
  const removed = await db.transaction(async (transaction) => {
    const [user] = await transaction.select({ image: users.image }).from(users).where(eq(users.id, uid)).for('update')
    if (!user) return null
    // What others gave to this learner's reviews; no reference can say so, because reviews of the content get votes, too.
    const courses = await listReviewedCourses(transaction, uid)
    await transaction.execute(sql`
      delete from review_votes v using reviews r where r.uid = ${uid} and v.course_id = r.course_id and v.review_id = r.id`)
    await transaction.delete(verifications).where(eq(verifications.value, uid))
    await transaction.delete(users).where(eq(users.id, uid))
    return { ...user, courses }
  })
  if (!removed) return false
  if (removed.courses.length > 0) pageCache.forget(cataloguePage, ...removed.courses.flatMap(coursePages))
  const photo = fileNameOf(removed.image)
  // The account is gone either way; nobody can find the address of a photo that stays behind.
  if (photo) await files.remove(photo).catch((error) => reportError(error))
  return true
}

/** Whose pages show something of the learner: a review, or a vote. */
async function listReviewedCourses(db: Pick<Database, 'select'>, uid: string): Promise<string[]> {
  const own = db.select({ id: reviews.courseId }).from(reviews).where(eq(reviews.uid, uid))
  const votes = db.select({ id: reviewVotes.courseId }).from(reviewVotes).where(eq(reviewVotes.uid, uid))
  return (await own.union(votes)).map(({ id }) => id)
}
