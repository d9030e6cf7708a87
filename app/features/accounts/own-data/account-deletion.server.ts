/**
 * Deletes accounts with all of their data, except the tables in `keptAfterDeletion`.
 *
 * The account and its data are deleted in one transaction, so a failure deletes nothing. The file
 * of the photo is removed after the commit. An emailed notice tells the owner about the deletion.
 */
import { eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import {
  importRows,
  reviews,
  reviewVotes,
  users,
  verifications,
} from '~/server/database/schema/index'
import { type FileStore, parseFileUrl } from '~/server/files/files.server'
import { queueMailWith } from '~/server/mail/outbox.server'
import { reportError } from '~/server/operations/log.server'

/** Updates what is derived from the ratings of courses, in the transaction that changed them. */
export type UpdateRatings = (
  tx: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
) => Promise<void>

export type DeletionServices = {
  db: Database
  files: Pick<FileStore, 'remove'>
  updateRatings: UpdateRatings
  /** Returns whether the desk would have no owner without the account. Called before any lock. */
  isOnlyOwner(tx: Pick<Statements, 'execute'>, uid: string): Promise<boolean>
}

/**
 * Deletes an account, and the file of its photo.
 *
 * @returns null, or why the account was not deleted
 */
export async function deleteOwnAccount(
  { db, files, updateRatings, isOnlyOwner }: DeletionServices,
  uid: string,
): Promise<'only-owner' | 'user-not-found' | null> {
  const deletion = await db.transaction(async (tx) => {
    if (await isOnlyOwner(tx, uid)) {
      return 'only-owner'
    }

    return (await deleteAccount(tx, updateRatings, uid)) ?? 'user-not-found'
  })
  if (typeof deletion === 'string') {
    return deletion
  }

  if (deletion.photoName) {
    // A file that remains is only an orphan: the account is deleted, and the file's URL can't be
    // guessed.
    await files.remove(deletion.photoName).catch((error) => reportError(error))
  }

  return null
}

/**
 * Deletes an account and its data in the caller's transaction.
 *
 * @returns the file of the photo, which the caller removes after the commit; null if the account
 *   doesn't exist
 */
export async function deleteAccount(
  tx: Statements,
  updateRatings: UpdateRatings,
  uid: string,
): Promise<{ photoName: string | null } | null> {
  // The orders are locked first, in the same order as everywhere. So a receipt that is being
  // written loses the buyer's name, too.
  await tx.execute(sql`select from orders where uid = ${uid} for update`)
  const [user] = await tx.select().from(users).where(eq(users.id, uid)).for('update')
  if (!user) {
    return null
  }

  const reviewedCourseIds = await listReviewedCourseIds(tx, uid)
  await deleteVotesOnReviews(tx, uid)
  await tx.delete(verifications).where(eq(verifications.value, uid))
  await anonymizeOrders(tx, uid)
  await tx.delete(importRows).where(eq(importRows.email, user.email))
  await tx.delete(users).where(eq(users.id, uid))
  if (!user.banned) {
    await queueMailWith(tx, null, 'account-deleted', { formerAddress: user.email })
  }

  if (reviewedCourseIds.length > 0) {
    await updateRatings(tx, reviewedCourseIds)
  }

  return { photoName: parseFileUrl(user.image) }
}

/** Returns the courses that the learner has reviewed, or whose reviews the learner has voted on. */
async function listReviewedCourseIds(db: Pick<Database, 'select'>, uid: string): Promise<string[]> {
  const ownReviews = db
    .select({ courseId: reviews.courseId })
    .from(reviews)
    .where(eq(reviews.uid, uid))
  const ownVotes = db
    .select({ courseId: reviewVotes.courseId })
    .from(reviewVotes)
    .where(eq(reviewVotes.uid, uid))
  const courses = await ownReviews.union(ownVotes)

  return courses.map(({ courseId }) => courseId)
}

/**
 * Deletes other people's votes on this learner's reviews. No foreign key can do it, because the
 * reviews in the content get votes, too.
 */
async function deleteVotesOnReviews(tx: Statements, uid: string): Promise<void> {
  await tx.execute(sql`
    delete from review_votes
    using reviews
    where reviews.uid = ${uid}
      and review_votes.course_id = reviews.course_id
      and review_votes.review_id = reviews.id`)
}

/**
 * Removes the person from orders and receipts, which the law requires the school to keep. The name
 * and tax number of a company stay, and a gift that was paid for can still be redeemed.
 */
async function anonymizeOrders(tx: Statements, uid: string): Promise<void> {
  await tx.execute(sql`
    update receipts
    set document = jsonb_set(
      document,
      '{buyer}',
      (document -> 'buyer') - 'name' - 'email' - 'address'
    )
    where order_id in (select id from orders where uid = ${uid})`)

  // The stored PDF files have the buyer's name as well. They are drawn again when they are needed.
  await tx.execute(sql`
    delete from receipt_files
    using receipts
    join orders on orders.id = receipts.order_id
    where receipt_files.number = receipts.number
      and orders.uid = ${uid}`)

  await tx.execute(sql`
    update gifts
    set
      recipient_email = null,
      sender_name = '',
      message = ''
    where uid = ${uid}`)

  await tx.execute(sql`
    update orders
    set buyer = buyer - 'name' - 'email' - 'address'
    where uid = ${uid}`)
}
